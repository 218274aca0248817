using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Torrents.Metadata;

/// <summary>What reading a .torrent, a magnet link or an info dictionary came to.</summary>
/// <typeparam name="T">What was to be read.</typeparam>
public sealed class MetadataResult<T>
    where T : class
{
    private MetadataResult(T? value, string? error)
    {
        Value = value;
        Error = error;
    }

    /// <summary>True if there is a value, false if there is an error.</summary>
    [MemberNotNullWhen(true, nameof(Value))]
    [MemberNotNullWhen(false, nameof(Error))]
    public bool Succeeded => Value is not null;

    /// <summary>What was read; null if it cannot be used.</summary>
    public T? Value { get; }

    /// <summary>A sentence for the person who added it; null if all is well.</summary>
    public string? Error { get; }

    internal static MetadataResult<T> Of(T value) => new(value, error: null);

    internal static MetadataResult<T> Failed(string error) => new(value: null, error);
}
