namespace NzbDav.Torrents.Connections;

/// <summary>Peers that want a place.</summary>
/// <param name="Count">Their number.</param>
/// <param name="Priority">Of the first, by BEP 40; 0 = not known.</param>
internal readonly record struct Newcomers(int Count, uint Priority);
