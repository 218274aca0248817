namespace NzbDav.Catalog.Tree;

/// <summary>The torrent, and the file in it, that hold a file's bytes.</summary>
/// <param name="InfoHash">40 lower-case hexadecimal digits.</param>
/// <param name="File">Its number in the torrent, from 0, padding files counted; of a file inside an archive that of the first volume.</param>
public sealed record TorrentPart(string InfoHash, int File);
