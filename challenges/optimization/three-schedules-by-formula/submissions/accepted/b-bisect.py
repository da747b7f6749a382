"""Milestones by bisection; the rates as the schedule reports them."""

from bisect import bisect_right


def step_lr(base_lr, epoch, step_size, gamma=0.1):
    blocks, _ = divmod(epoch, step_size)
    return float(base_lr * pow(gamma, blocks))


def multistep_lr(base_lr, epoch, milestones, gamma=0.1):
    return float(base_lr * pow(gamma, bisect_right(sorted(milestones), epoch)))


def exp_lr(base_lr, epoch, gamma):
    return step_lr(base_lr, epoch, 1, gamma)


def run_epochs(optimizer, schedule, epochs, train_one_epoch):
    used = []
    for epoch in range(epochs):
        train_one_epoch(epoch)
        used.append(float(schedule.get_last_lr()[0]))
        schedule.step()
    return used
