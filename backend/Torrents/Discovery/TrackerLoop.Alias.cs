using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <content>
/// The second announce of a public hybrid torrent, for its alias. For a tracker the two hashes are two torrents with separate peers (BEP
/// 52). Sent along with each first announce. Bytes sent and received are reported only by the first; "left" and the events apply to both.
/// </content>
internal sealed partial class TrackerLoop
{
    private static readonly Task<TrackerAnswer> Unsent = Task.FromResult(TrackerAnswer.Failed("The alias is not announced."));

    private readonly Dictionary<Uri, AliasState> _aliases = [];
    private readonly ConcurrentDictionary<(Uri Tracker, bool ByAlias), TrackerCounts> _counts = new();

    /// <summary>True if the tracker does not know the alias, or knows one that the torrent no longer has.</summary>
    private bool IsAliasDue(Uri tracker) => _swarm.AnnouncedAlias != _aliases.GetValueOrDefault(tracker)?.Name;

    /// <summary>
    /// Sends the second announce, unless the last one is still running or the tracker refused it. Sends "stopped" for an alias that the
    /// torrent no longer has.
    /// </summary>
    /// <returns>The answer; a failure if nothing was sent.</returns>
    private Task<TrackerAnswer> StartAliasAnnounce(Uri tracker, int tries, bool onDemand, CancellationToken stopping)
    {
        var state = _aliases.GetValueOrDefault(tracker);
        if (IsAliasDue(tracker))
        {
            if (state is not null)
                _stoppedAnnounces = Task.WhenAll(_stoppedAnnounces, StopAliasAsync(tracker, state));
            _aliases.Remove(tracker);
            if (_swarm.AnnouncedAlias is not { } name)
                return Unsent;
            _aliases[tracker] = state = new AliasState(name);
        }

        if (state is null || !state.Running.IsCompleted || LeftOf(state.Refusals, onDemand) != TimeSpan.Zero)
            return Unsent;
        var running = AnnounceAliasAsync(tracker, state, tries, stopping);
        state.Running = running;
        return running;
    }

    private async Task<TrackerAnswer> AnnounceAliasAsync(Uri tracker, AliasState state, int tries, CancellationToken stopping)
    {
        var isWhole = _swarm.Completed.IsCompleted;
        var why = !state.IsStarted ? TrackerEvent.Started : isWhole && !state.IsCompleted ? TrackerEvent.Completed : TrackerEvent.None;
        var answer = await SendAnnounceAsync(tracker, AliasRequest(tracker, state, why, tries), stopping) with { ByAlias = true };
        if (answer.Failure is not null)
        {
            (state.Peers, state.Refusals) = (0, RefusalsAfter(state.Refusals, answer));
            return answer;
        }

        (state.Peers, state.Refusals) = (answer.Peers.Count, null);
        state.TrackerId = answer.TrackerId ?? state.TrackerId;
        (state.IsStarted, state.IsCompleted) = (true, isWhole);
        _swarm.AddPeers(answer.Peers, PeerSources.Tracker, byAlias: true);
        Note(tracker, status => status with { Peers = Math.Max(status.Peers, answer.Peers.Count) });
        Count(tracker, byAlias: true, answer.Counts);
        _ = ScrapeAsync(tracker, state.Name, answer.Counts, byAlias: true, stopping);
        return answer;
    }

    private TrackerRequest AliasRequest(Uri tracker, AliasState state, TrackerEvent trackerEvent, int tries) => Request(
        tracker, trackerEvent, tries) with
    {
        Hash = state.Name,
        Uploaded = 0,
        Downloaded = 0,
        Corrupt = 0,
        Redundant = 0,
        TrackerId = state.TrackerId,
        More = trackerEvent == TrackerEvent.Stopped ? null : peers => _swarm.AddPeers(peers, PeerSources.Tracker, byAlias: true),
    };

    /// <summary>The answer that counts: that of the first announce, or of the second if the first failed.</summary>
    private static async Task<TrackerAnswer> EitherAsync(Task<TrackerAnswer> first, Task<TrackerAnswer> second)
    {
        var answer = await first;
        return answer.Failure is not null && await second is { Failure: null } other ? other : answer;
    }

    /// <summary>Sends a tracker "stopped" for the alias, if it knows the alias.</summary>
    private async Task StopAliasAsync(Uri tracker, AliasState state)
    {
        var request = AliasRequest(tracker, state, TrackerEvent.Stopped, tries: 1);
        _counts.TryRemove((tracker, true), out _);
        await state.Running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (state.IsStarted)
            await SendStoppedAsync(tracker, request);
    }

    /// <summary>
    /// Stores the numbers of peers that a tracker knows by one hash. Most peers of a hybrid are known by both, so the greater numbers are
    /// shown, not the sums.
    /// </summary>
    private void Count(Uri tracker, bool byAlias, TrackerCounts? counts)
    {
        if (counts is null)
            return;
        _counts[(tracker, byAlias)] = counts;
        var most = _counts.TryGetValue((tracker, !byAlias), out var other)
            ? new TrackerCounts(
                Math.Max(counts.Seeds, other.Seeds), Math.Max(counts.Leechers, other.Leechers), Most(counts.Downloaded, other.Downloaded))
            : counts;
        Note(tracker, status => status with
        {
            Seeds = most.Seeds,
            Leechers = most.Leechers,
            Downloaded = most.Downloaded ?? status.Downloaded,
        });
    }

    private static int? Most(int? one, int? other) => one is null || other > one ? other : one;

    /// <summary>State of the alias at one tracker. Changed by the running announce.</summary>
    private sealed class AliasState(InfoHash name)
    {
        public InfoHash Name => name;

        /// <summary>The running announce, or the last one.</summary>
        public Task Running { get; set; } = Task.CompletedTask;

        /// <summary>True once "started" was answered.</summary>
        public bool IsStarted { get; set; }

        /// <summary>True if the tracker knows that nothing is left to download.</summary>
        public bool IsCompleted { get; set; }

        /// <summary>Number of addresses in the last answer.</summary>
        public int Peers { get; set; }

        public string? TrackerId { get; set; }

        /// <summary>Null: the last announce succeeded, or there was none.</summary>
        public Refusals? Refusals { get; set; }
    }
}
