using System.Globalization;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>
/// Hides a post whose replacement plays, and deletes it 30 days later. Not while one of its large files may still play, a library has a
/// link to it, or the day's limit is reached. A hidden post whose articles return is shown again.
/// </summary>
/// <param name="tools">The dependencies.</param>
internal sealed class PostRetirement(HealthTools tools)
{
    /// <summary>How long a post stays hidden before it is deleted. Until then it can be brought back.</summary>
    internal static readonly TimeSpan HiddenFor = TimeSpan.FromDays(30);

    /// <summary>Time until the link that prevents a removal is checked again.</summary>
    internal static readonly TimeSpan LinkCheckInterval = TimeSpan.FromHours(6);

    /// <summary>Files smaller than this share of the largest one do not count, 0 … 1: samples, texts.</summary>
    private const double MinorShare = 0.1;

    /// <summary>Hides a post, or deletes one that has been hidden for <see cref="HiddenFor"/>.</summary>
    /// <param name="change">The post, in the stage <see cref="HealthStage.Removing"/> or <see cref="HealthStage.Hidden"/>.</param>
    /// <param name="gone">Its missing articles.</param>
    /// <param name="finding">The result of the check.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<HealthChange> HideOrDeleteAsync(
        HealthChange change, IReadOnlyList<GoneArticle> gone, CheckFinding finding, CancellationToken cancellationToken)
    {
        var post = change.Post;
        var now = tools.Time.GetUtcNow();
        if (finding.Present.Count > 0 || finding.Unclear > 0)
            return Waits(change, finding.Present.Count > 0
                ? "Articles of it are there again." : finding.UnclearReason ?? "Not every provider answers.", CheckSchedule.Retry);
        if (await PlayingAsync(post, gone, cancellationToken) is { } playing)
            return KeepVisible(change, $"The replacement plays. The old post stays: {playing} of it may still play.");
        if (post.Stage == HealthStage.Removing && (await MainFilesAsync(post, cancellationToken)).Count is > 1 and var files)
            return KeepVisible(change, string.Create(CultureInfo.InvariantCulture,
                $"The replacement plays. The old post stays: it has {files} large files, and one search replaces one of them."));
        var held = await tools.Holds.FindHolderAsync(post.ItemId, cancellationToken);
        if (held.Holder is { } holder)
            return Waits(change, $"A library still has a link to it: {holder}.", LinkCheckInterval);
        if (post.Stage == HealthStage.Hidden)
            return await EndAsync(change, held, cancellationToken);
        var day = await tools.Store.DayAsync(now.UtcTicks / TimeSpan.TicksPerDay, cancellationToken);
        var state = await tools.Store.StateAsync(cancellationToken);
        if (!RemovalBrake.Allows(day, state, tools.Options.Value))
            return await BrakeAsync(change, state, day, cancellationToken);
        const string Reason = "Its replacement plays, and all that was asked for is missing on every provider. It is deleted in 30 days.";
        return With(change, HealthEventKind.Hidden, Reason) with
        {
            Removals = 1,
            Post = post with
            {
                Verdict = HealthVerdict.Replaced,
                Stage = HealthStage.Hidden,
                Hidden = now,
                Due = now + HiddenFor,
                Urgent = false,
                Changed = now,
                Reason = Reason
            },
        };
    }

    private async Task<string?> PlayingAsync(HealthPost post, IReadOnlyList<GoneArticle> gone, CancellationToken cancellationToken)
    {
        var dead = gone.Where(article => article.Times > 1).Select(article => article.FileId).ToHashSet();
        return (await MainFilesAsync(post, cancellationToken)).Find(file => !dead.Contains(file.Id))?.Name;
    }

    private async Task<List<CatalogItem>> MainFilesAsync(HealthPost post, CancellationToken cancellationToken)
    {
        var files = await tools.Store.FilesAsync(post.ItemId, cancellationToken);
        return [.. files.Where(file => file.Size >= MinorShare * files[0].Size)];
    }

    /// <summary>
    /// Deletes a hidden post when its time is over. A check on demand may run earlier than that, and a post that a person wants left alone
    /// stays hidden.
    /// </summary>
    private async Task<HealthChange> EndAsync(HealthChange change, HoldVerdict held, CancellationToken cancellationToken)
    {
        // Read again: others of the batch were checked since this post was read.
        if (await tools.Store.GetAsync(change.Post.ItemId, cancellationToken) is not { Stage: HealthStage.Hidden, Hidden: { } since } post)
            return change;
        if (post.Kept is not null)
            return Waits(change, "It stays hidden: a person wants it left alone.", HiddenFor);
        if (since + HiddenFor - tools.Time.GetUtcNow() is { Ticks: > 0 } left)
            return Waits(change, change.Post.Reason, left);
        if (held.IsUncertain)
            return Waits(change, "It stays hidden: whether a library has a link to it is not known.", HiddenFor);
        var happened = Event(change, HealthEventKind.Deleted, "It was hidden for 30 days, and nothing of it came back.");
        var deleted = await tools.Store.DeleteHiddenAsync(happened, tools.Time.GetUtcNow() - HiddenFor, cancellationToken);
        return deleted ? change : Waits(change, "It stays hidden: a library has a link to it, or a person wants it.", HiddenFor);
    }

    private async Task<HealthChange> BrakeAsync(HealthChange change, HealthState state, HealthDay day, CancellationToken cancellationToken)
    {
        var reason =
            $"Posts hidden today: {day.Removals}; allowed without asking: {tools.Options.Value.RemovalsPerDay} (Health:RemovalsPerDay). " +
            $"More are hidden once a person agrees.";
        if (state.Braked is null)
            await tools.Store.SetStateAsync(state with { Braked = tools.Time.GetUtcNow() },
                new HealthEvent(null, "", tools.Time.GetUtcNow(), HealthEventKind.Braked, reason), cancellationToken);
        return Waits(change, reason, TimeSpan.FromDays(1));
    }

    private HealthChange KeepVisible(HealthChange change, string reason) => change with
    {
        Post = change.Post with
        {
            Verdict = HealthVerdict.GivenUp,
            Stage = HealthStage.None,
            Hidden = null,
            Due = tools.Time.GetUtcNow() + HiddenFor,
            Urgent = false,
            Changed = tools.Time.GetUtcNow(),
            Reason = reason
        },
    };

    private HealthChange Waits(HealthChange change, string? reason, TimeSpan time) =>
        change with { Post = change.Post with { Due = tools.Time.GetUtcNow() + time, Urgent = false, Reason = reason } };

    private HealthChange With(HealthChange change, HealthEventKind kind, string reason) =>
        change with { Events = [.. change.Events, Event(change, kind, reason)] };

    private HealthEvent Event(HealthChange change, HealthEventKind kind, string reason) =>
        new(change.Post.ItemId, change.Post.Name, tools.Time.GetUtcNow(), kind, reason);
}

/// <summary>Limits the removals per day without a person's approval. Pure.</summary>
public static class RemovalBrake
{
    /// <summary>True if one more post may be hidden today.</summary>
    /// <param name="day">What was used today.</param>
    /// <param name="state">What a person allowed.</param>
    /// <param name="options">The limit.</param>
    public static bool Allows(HealthDay day, HealthState state, HealthOptions options)
    {
        ArgumentNullException.ThrowIfNull(day);
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(options);
        return state.RemovalsAllowedOn == day.Day || (state.Braked is null && day.Removals < options.RemovalsPerDay);
    }
}
