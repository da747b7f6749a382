"""Walks through the epochs and multiplies at each cut, as torch does."""


def walked(base_lr, epoch, gamma, cuts_in):
    rate = float(base_lr)
    for k in range(1, epoch + 1):
        for _ in range(cuts_in(k)):
            rate *= gamma
    return rate


def step_lr(base_lr, epoch, step_size, gamma=0.1):
    return walked(base_lr, epoch, gamma, lambda k: int(k % step_size == 0))


def multistep_lr(base_lr, epoch, milestones, gamma=0.1):
    at_the_start = sum(milestone <= 0 for milestone in milestones)
    return walked(base_lr * gamma**at_the_start, epoch, gamma, milestones.count)


def exp_lr(base_lr, epoch, gamma):
    return walked(base_lr, epoch, gamma, lambda k: 1)


def run_epochs(optimizer, schedule, epochs, train_one_epoch):
    rates, epoch = [], 0
    while epoch < epochs:
        rate = optimizer.param_groups[0]["lr"]
        train_one_epoch(epoch)
        schedule.step()
        rates.append(rate)
        epoch += 1
    return rates
