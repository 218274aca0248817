namespace NzbDav.WebDav.Streams;

/// <summary>A request for a file's bytes, as far as it says who reads what.</summary>
/// <param name="File">Names the file whatever path it is asked by: its id in the tree.</param>
/// <param name="Path">The path that it is asked by, decoded.</param>
/// <param name="Name">The file's name.</param>
/// <param name="Size">The file's bytes.</param>
/// <param name="Address">The client's address.</param>
/// <param name="UserAgent">The client's User-Agent; null: none.</param>
/// <param name="User">Who asks; null: not known.</param>
/// <param name="Origin">By which address.</param>
public sealed record StreamSource(long File, string Path, string Name, long Size, string Address, string? UserAgent, string? User, StreamOrigin Origin);
