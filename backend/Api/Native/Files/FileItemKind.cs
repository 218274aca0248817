namespace NzbDav.Api.Native.Files;


/// <summary>What an item of the tree is.</summary>
internal enum FileItemKind
{
    /// <summary>Holds other items.</summary>
    Collection,

    /// <summary>Has bytes.</summary>
    File,
}
