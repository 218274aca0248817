using System.Collections.Immutable;
using System.Text;

namespace NzbDav.WebDav.Store;

/// <summary>
/// The place of an item in the store: decoded names from the root down. Equal paths have ordinally equal names; a trailing slash is
/// remembered but not compared. Immutable.
/// </summary>
public sealed class StorePath : IEquatable<StorePath>
{
    /// <summary>
    /// Most names in a path of a request. No tree is so deep, and the cost of looking for locks on the way up grows with the square.
    /// </summary>
    internal const int MostSegments = 256;

    private StorePath(ImmutableArray<string> segments, bool hasTrailingSlash)
    {
        Segments = segments;
        HasTrailingSlash = hasTrailingSlash;
    }

    /// <summary>The root of the store.</summary>
    public static StorePath Root { get; } = new([], hasTrailingSlash: true);

    /// <summary>Decoded names; none is empty, <c>.</c> or <c>..</c>, none contains <c>/</c> or NUL.</summary>
    public ImmutableArray<string> Segments { get; }

    /// <summary>True if the request ended with <c>/</c>: the client means a collection.</summary>
    public bool HasTrailingSlash { get; }

    /// <summary>True for the root.</summary>
    public bool IsRoot => Segments.IsEmpty;

    /// <summary>The last name; empty for the root.</summary>
    public string Name => IsRoot ? string.Empty : Segments[^1];

    /// <summary>The path of the collection that holds this item; the root's parent is the root.</summary>
    public StorePath Parent => Segments.Length <= 1 ? Root : new(Segments.RemoveAt(Segments.Length - 1), hasTrailingSlash: true);

    /// <summary>The path of a child.</summary>
    /// <exception cref="ArgumentException">The name is invalid.</exception>
    public StorePath Child(string name)
    {
        if (!IsName(name))
            throw new ArgumentException("Not a name.", nameof(name));
        return new(Segments.Add(name), hasTrailingSlash: false);
    }

    /// <summary>True if this path is below <paramref name="collection"/>; false for the collection itself.</summary>
    public bool IsBelow(StorePath collection)
    {
        ArgumentNullException.ThrowIfNull(collection);
        return Segments.Length > collection.Segments.Length
            && Segments.AsSpan(0, collection.Segments.Length).SequenceEqual(collection.Segments.AsSpan());
    }

    /// <summary>
    /// The path as the tree has it if a client sent decomposed names, as macOS does: each name is composed, unless an item has exactly the
    /// name that was sent.
    /// </summary>
    internal async ValueTask<StorePath> ComposedAsync(IStore store, CancellationToken cancellationToken)
    {
        var path = this;
        for (var i = 0; i < Segments.Length; i++)
        {
            var composed = Composition.Compose(Segments[i]);
            if (!ReferenceEquals(composed, Segments[i])
                && await store.GetItemAsync(new(path.Segments[..(i + 1)], hasTrailingSlash: false), cancellationToken) is null)
                path = new(path.Segments.SetItem(i, composed), HasTrailingSlash);
        }

        return path;
    }

    /// <summary>This path after <paramref name="from"/>, which is this path or above it, was moved to <paramref name="to"/>.</summary>
    public StorePath Rebase(StorePath from, StorePath to)
    {
        ArgumentNullException.ThrowIfNull(from);
        ArgumentNullException.ThrowIfNull(to);
        return new([.. to.Segments, .. Segments.AsSpan()[from.Segments.Length..]], HasTrailingSlash);
    }

    /// <summary>
    /// Decodes a percent-encoded path, each segment once and on its own. Runs of slashes count as one. Null for dot segments, encoded
    /// slashes, NUL, invalid escapes, invalid UTF-8, a query or a fragment, and more than 256 names.
    /// </summary>
    public static StorePath? TryParse(ReadOnlySpan<char> path)
    {
        if (path.IsEmpty)
            return new([], hasTrailingSlash: false);
        if (path.ContainsAny('?', '#'))
            return null;
        var segments = ImmutableArray.CreateBuilder<string>(Math.Min(path.Count('/') + 1, MostSegments));
        foreach (var range in path.Split('/'))
        {
            var raw = path[range];
            if (raw.IsEmpty)
                continue;
            if (segments.Count == MostSegments || PercentEncoding.TryDecode(raw) is not { } name || !IsName(name))
                return null;
            segments.Add(name);
        }

        return new(segments.DrainToImmutable(), path[^1] == '/');
    }

    /// <inheritdoc/>
    public bool Equals(StorePath? other) => other is not null && Segments.AsSpan().SequenceEqual(other.Segments.AsSpan());

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as StorePath);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        foreach (var segment in Segments)
            hash.Add(segment, StringComparer.Ordinal);
        return hash.ToHashCode();
    }

    /// <summary>The path percent-encoded, with a leading slash and without a trailing one: for hrefs and logs.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        foreach (var segment in Segments)
            PercentEncoding.Append(text.Append('/'), segment);
        return text.ToString();
    }

    private static bool IsName(string name) => name.Length > 0 && name is not ("." or "..") && !name.AsSpan().ContainsAny('/', '\0');
}
