namespace NzbDav.Torrents.Connections;

/// <summary>The rating of one connection, for when a place is needed.</summary>
/// <param name="Use">Its usefulness.</param>
/// <param name="Priority">By BEP 40; 0 = not known.</param>
/// <param name="Worth">Payload in both directions, the latest counting most.</param>
/// <param name="Joined">When it was made, in ticks.</param>
internal readonly record struct ConnectionStanding(ConnectionUse Use, uint Priority, long Worth, long Joined);
