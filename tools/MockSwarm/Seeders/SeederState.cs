using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Pacing;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>What the connections of a seeder share. Thread-safe.</summary>
/// <param name="Torrent">What it serves.</param>
/// <param name="Options">How it behaves.</param>
/// <param name="Counters">Count what it did.</param>
/// <param name="Line">All connections send over it.</param>
/// <param name="PeerId">20 bytes.</param>
internal sealed record SeederState(MockTorrent Torrent, SeederOptions Options, SeederCounters Counters, Line Line, byte[] PeerId)
{
    /// <summary>In ticks.</summary>
    public long RoundTrip => Options.RoundTrip.Ticks;
}
