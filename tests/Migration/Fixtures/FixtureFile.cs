namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>A file of another program's library.</summary>
/// <param name="Name">Its path below the release.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Parts">The location of its bytes.</param>
internal sealed record FixtureFile(string Name, long Size, IReadOnlyList<FixturePart> Parts)
{
    public Guid Id { get; init; } = Guid.NewGuid();

    /// <summary>The file is in an archive.</summary>
    public bool IsPacked { get; init; }

    /// <summary>Its content is encrypted.</summary>
    public bool IsEncrypted { get; init; }

    /// <summary>InfiniDysk has not read its last volumes.</summary>
    public bool IsLazy { get; init; }

    /// <summary>nzbdav2: its bytes are posted XORed with a key.</summary>
    public bool IsObfuscated { get; init; }

    /// <summary>0.6: its row was not moved to a blob.</summary>
    public bool KeepsRow { get; init; }

    /// <summary>The path that links of nzbdav have, below the mount.</summary>
    public string IdPath
    {
        get
        {
            var name = Id.ToString("D");
            return $".ids/{name[0]}/{name[1]}/{name[2]}/{name[3]}/{name[4]}/{name}";
        }
    }
}
