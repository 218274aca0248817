namespace NzbDav.Catalog.Moving;

/// <summary>A file as the program had it from which its title comes, with the paths that links to it may name.</summary>
/// <param name="Paths">From the root, without a '/' before them: see <see cref="AliasStore"/>.</param>
/// <param name="Name">What the file was called there.</param>
/// <param name="Size">Bytes; negative: not known.</param>
/// <param name="Article">The message-id of the article that holds its first byte, without angle brackets; null: not known.</param>
public sealed record MovedFile(IReadOnlyList<string> Paths, string Name, long Size, string? Article)
{
    /// <summary>The keys that addresses of the file in .strm files carry, as <see cref="AddressKey.Of"/> keeps them.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];
}
