using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Storage;

/// <summary>A torrent's data in the bounded cache, with its resume data in a file beside it.</summary>
/// <param name="path">Path of both, without their endings.</param>
/// <param name="info">The torrent.</param>
internal abstract class CacheDisk(string path, TorrentInfo info) : PieceDisk
{
    /// <summary>
    /// True if the stored resume data names pieces that are not there, or may. It is removed before anything is written, because it would
    /// vouch for that too.
    /// </summary>
    private bool _isContradicted;

    /// <summary>Path of the data and the resume data, without endings.</summary>
    protected string Path { get; } = path;

    /// <summary>The torrent.</summary>
    protected TorrentInfo Info { get; } = info;

    /// <summary>The file with all data, each piece at its offset in the torrent; null if there is no such file.</summary>
    public abstract string? DataPath { get; }

    /// <summary>Copies a piece to the kept files.</summary>
    /// <param name="kept">The kept files.</param>
    /// <param name="offset">Offset of the piece in the torrent.</param>
    /// <param name="length">Its bytes.</param>
    public abstract void CopyTo(KeptDisk kept, long offset, int length);

    /// <inheritdoc/>
    public override void SaveResumeData(Pieces.BitField pieces)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(Path)!);
        ResumeFile.Save(Path + RestingPieces.Resume, Info, pieces);
        _isContradicted = false;
    }

    /// <summary>Removes the resume data. Needs no disk space.</summary>
    public void DeleteResumeData() => File.Delete(Path + RestingPieces.Resume);

    /// <inheritdoc/>
    public override Pieces.BitField? Load()
    {
        var claims = ResumeFile.Load(Path + RestingPieces.Resume, Info);
        for (var piece = 0; piece < claims?.Length; piece++)
        {
            if (claims[piece] && !HasData(piece))
                _isContradicted |= claims.Clear(piece);
        }

        return claims;
    }

    /// <summary>Call before the data is opened to write to it.</summary>
    /// <param name="exists">False: there is no data at all, so the resume data cannot be true.</param>
    protected void Begin(bool exists)
    {
        if (_isContradicted || !exists)
            DeleteResumeData();
        _isContradicted = false;
    }

    /// <summary>True if the data of a recorded piece is there, judged by the length of its file.</summary>
    protected abstract bool HasData(int piece);
}
