namespace NzbDav.Arr.Resources;

/// <summary>A folder that holds a library.</summary>
public sealed record RootFolder
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>As the application sees it.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>Whether the application can write there.</summary>
    public bool Accessible { get; init; }

    /// <summary>Bytes; null if unknown.</summary>
    public long? FreeSpace { get; init; }
}
