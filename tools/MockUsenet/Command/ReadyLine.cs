namespace NzbDav.MockUsenet.Command;

/// <summary>The line that the command prints when it is ready.</summary>
internal sealed record ReadyLine(bool Ready, IReadOnlyList<int> Ports, int StatsPort);
