namespace NzbDav.Catalog.Tree;

/// <summary>How a repair stands.</summary>
public enum MendState
{
    /// <summary>The article was reconstructed: reading the same place again may succeed.</summary>
    Mended,

    /// <summary>The repair goes on.</summary>
    UnderWay,

    /// <summary>It failed, or there is no recovery data.</summary>
    Failed,
}
