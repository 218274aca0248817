namespace NzbDav.Migration.Titles;

/// <summary>What another program's settings say that this one has too.</summary>
public sealed record OldSettings
{
    /// <summary>Usenet accounts.</summary>
    public IReadOnlyList<OldProvider> Providers { get; init; } = [];

    /// <summary>Names of categories.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];

    /// <summary>*arrs.</summary>
    public IReadOnlyList<OldArr> Arrs { get; init; } = [];

    /// <summary>Where the tree is mounted; null: not known.</summary>
    public string? MountPath { get; init; }

    /// <summary>What has no place here or cannot be taken over, a sentence each.</summary>
    public IReadOnlyList<string> NotTaken { get; init; } = [];
}
