namespace NzbDav.Api.Native.Files;


/// <summary>Where a file's bytes come from.</summary>
internal enum FileOrigin
{
    /// <summary>Articles.</summary>
    Usenet,

    /// <summary>A swarm.</summary>
    Torrent,
}
