namespace NzbDav.Migration.Titles;

/// <summary>The settings of another program that exist in this one too.</summary>
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

    /// <summary>Settings that do not exist here or cannot be migrated, a sentence each.</summary>
    public IReadOnlyList<string> NotTaken { get; init; } = [];
}
