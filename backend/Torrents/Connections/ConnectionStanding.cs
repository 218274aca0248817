namespace NzbDav.Torrents.Connections;

/// <summary>One connection when a place is needed.</summary>
/// <param name="Use">What it is good for.</param>
/// <param name="Priority">By BEP 40; 0 = not known.</param>
/// <param name="Worth">Payload both ways, the latest counting most.</param>
/// <param name="Joined">Ticks when it was made.</param>
internal readonly record struct ConnectionStanding(ConnectionUse Use, uint Priority, long Worth, long Joined);
