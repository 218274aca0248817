using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Torrents.Metadata;

/// <summary>Result of reading a .torrent, a magnet link or an info dictionary.</summary>
/// <typeparam name="T">Type of what is read.</typeparam>
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

    /// <summary>What was read; null if there is an error.</summary>
    public T? Value { get; }

    /// <summary>What is wrong, as a sentence for the user; null if reading succeeded.</summary>
    public string? Error { get; }

    internal static MetadataResult<T> Of(T value) => new(value, error: null);

    internal static MetadataResult<T> Failed(string error) => new(value: null, error);
}
