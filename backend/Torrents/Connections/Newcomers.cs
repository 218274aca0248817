namespace NzbDav.Torrents.Connections;

/// <summary>Who wants a place.</summary>
/// <param name="Count">How many; 0 = nobody.</param>
/// <param name="Priority">Of the first, by BEP 40; 0 = not known.</param>
internal readonly record struct Newcomers(int Count, uint Priority);
