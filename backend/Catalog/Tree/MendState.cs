namespace NzbDav.Catalog;

/// <summary>How a repair stands.</summary>
public enum MendState
{
    /// <summary>The article is there now.</summary>
    Mended,

    /// <summary>The repair goes on.</summary>
    UnderWay,

    /// <summary>It brought nothing, or there is nothing to repair with.</summary>
    Failed,
}
