namespace NzbDav.Catalog.Tree;

/// <summary>A name as it is searched and sorted: in small letters, dots and underscores as the spaces that they stand for in the names of releases.</summary>
internal static class FoldedName
{
    /// <summary>Folds a name, or what is searched for.</summary>
    public static string Of(string name) => name.ToLowerInvariant().Replace('.', ' ').Replace('_', ' ');
}
