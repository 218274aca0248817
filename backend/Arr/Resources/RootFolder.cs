namespace NzbDav.Arr.Resources;

/// <summary>A folder that holds a library.</summary>
public sealed record RootFolder
{
    /// <summary>Its id.</summary>
    public int Id { get; init; }

    /// <summary>Path as the application sees it.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>True if the application can write there.</summary>
    public bool Accessible { get; init; }

    /// <summary>Free space in bytes; null if unknown.</summary>
    public long? FreeSpace { get; init; }
}
