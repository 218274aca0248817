namespace NzbDav.MockSwarm.Command;

/// <summary>The line of JSON that the process prints when it is ready.</summary>
/// <param name="Ready">Always true.</param>
/// <param name="Ports">The seeders' ports, in order.</param>
/// <param name="Tracker">The announce address.</param>
/// <param name="Magnet">A magnet link that names the seeders.</param>
/// <param name="Hash">The info-hash.</param>
internal sealed record ReadyLine(bool Ready, IReadOnlyList<int> Ports, string Tracker, string Magnet, string Hash);
