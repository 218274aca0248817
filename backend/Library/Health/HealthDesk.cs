using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>The user's actions on the health of posts. Thread-safe.</summary>
/// <param name="store">The health of posts.</param>
/// <param name="time">Clock.</param>
public sealed class HealthDesk(HealthStore store, TimeProvider time)
{
    /// <summary>
    /// Undoes what was done about a post: a hidden post is shown again, and files that read from another post read their own articles
    /// again. The post is left alone from then on.
    /// </summary>
    /// <returns>False if nothing was done about it, or if there is no such post.</returns>
    public async Task<bool> UndoAsync(long itemId, CancellationToken cancellationToken)
    {
        if (await store.GetAsync(itemId, cancellationToken) is not { } post)
            return false;
        var swapped = await store.SwapBackAsync(itemId, cancellationToken);
        if (swapped == 0 && post.Hidden is null && post.Stage == HealthStage.None)
            return false;
        const string Reason = "A person undid what was done. The post is left alone until it is released.";
        var now = time.GetUtcNow();
        return await store.SaveAsync(
            new HealthChange(post with
            {
                Hidden = null,
                Stage = HealthStage.None,
                Search = null,
                Kept = now,
                Verdict = HealthVerdict.Suspect,
                Due = now,
                Urgent = true,
                Reason = Reason,
                Changed = now
            })
            {
                Events = [new HealthEvent(itemId, post.Name, now, HealthEventKind.Undone, Reason)],
            },
            cancellationToken);
    }

    /// <summary>
    /// Leaves a post alone, so that it is only checked, or releases it again. Released, work that was given up is retried.
    /// </summary>
    /// <returns>False if there is no such post.</returns>
    public async Task<bool> KeepAsync(long itemId, bool keep, CancellationToken cancellationToken)
    {
        if (await store.GetAsync(itemId, cancellationToken) is not { } post)
            return false;
        var now = time.GetUtcNow();
        var reason = keep ? "A person wants the post left alone." : "A person released the post: what is missing may be replaced again.";
        return await store.SaveAsync(
            new HealthChange(
                post with
                {
                    Kept = keep ? now : null,
                    Due = keep ? post.Due : now,
                    Verdict = !keep && post.Verdict == HealthVerdict.GivenUp ? HealthVerdict.Missing : post.Verdict
                })
            {
                Events = [
                new HealthEvent(itemId, post.Name, now, HealthEventKind.Kept, reason)]
            }, cancellationToken);
    }

    /// <summary>Puts a post at the front of the schedule.</summary>
    /// <returns>False if there is no such post.</returns>
    public async Task<bool> CheckNextAsync(long itemId, CancellationToken cancellationToken) =>
        await store.GetAsync(itemId, cancellationToken) is { } post
        && await store.SaveAsync(new HealthChange(post with { Due = time.GetUtcNow(), Urgent = true }), cancellationToken);

    /// <summary>Pauses the checks, or lets them run again.</summary>
    public async Task PauseAsync(bool pause, CancellationToken cancellationToken)
    {
        var state = await store.StateAsync(cancellationToken);
        if (pause != state.Paused is not null)
            await store.SetStateAsync(state with { Paused = pause ? time.GetUtcNow() : null }, happened: null, cancellationToken);
    }

    /// <summary>Number of posts that wait for a person's consent to be hidden.</summary>
    public async Task<int> CountWaitingAsync(CancellationToken cancellationToken) => (await ListWaitingAsync(cancellationToken)).Count();

    /// <summary>Allows pending removals for the rest of the day.</summary>
    /// <returns>False if nothing waits.</returns>
    public async Task<bool> AllowRemovalsAsync(CancellationToken cancellationToken)
    {
        var state = await store.StateAsync(cancellationToken);
        if (state.Braked is null)
            return false;
        var now = time.GetUtcNow();
        await store.SetStateAsync(
            state with { Braked = null, RemovalsAllowedOn = now.UtcTicks / TimeSpan.TicksPerDay },
            new HealthEvent(null, "", now, HealthEventKind.Released, "A person allowed more removals today."), cancellationToken);
        foreach (var post in await ListWaitingAsync(cancellationToken))
            await store.SaveAsync(new HealthChange(post with { Due = now, Urgent = true }) { Before = post }, cancellationToken);
        return true;
    }

    private async Task<IEnumerable<HealthPost>> ListWaitingAsync(CancellationToken cancellationToken) =>
        (await store.ListAsync([HealthVerdict.Missing], null, 0, 10_000, cancellationToken)).Posts.Where(
            post => post.Stage == HealthStage.Removing);
}
