using System.Globalization;

namespace NzbDav.Torrents.Metadata;

/// <summary>Reads an info dictionary. An unusable one is refused with a message; oddities are repaired.</summary>
internal ref struct InfoReader
{
    /// <summary>Longest piece in bytes: a piece is held in memory until it is verified. Programs write up to 64 MiB.</summary>
    public const int MostPieceLength = 128 << 20;

    /// <summary>Shortest piece in bytes: shorter ones are unheard of (programs write 16 KiB and more) and would only make tables huge.</summary>
    public const int LeastPieceLength = 1 << 10;

    /// <summary>Most pieces: a peer's bitfield of this many still fits the receive buffer. With pieces of 1 MiB this is 2 TB.</summary>
    public const int MostPieces = 2_000_000;

    private readonly HashSet<string> _paths = new(StringComparer.Ordinal);
    private readonly HashSet<string> _folders = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly List<TorrentFile> _files = [];
    private BencodeReader _reader;
    private byte[]? _pieces;
    private string? _name;
    private string? _betterName;
    private long _pieceLength = -1;
    private long _length = -1;
    private long _total;
    private bool _hasFiles;
    private bool _private;
    private bool _hasTree;
    private string? _error;

    private InfoReader(ReadOnlySpan<byte> info) => _reader = new BencodeReader(info);

    /// <param name="info">The dictionary's exact bytes; the result keeps a reference to them.</param>
    public static MetadataResult<TorrentInfo> Read(ReadOnlyMemory<byte> info)
    {
        var reader = new InfoReader(info.Span);
        reader.ReadDictionary();
        if (reader._error is null && reader._reader.Position != info.Length)
            reader._error = "The torrent's info dictionary is followed by other bytes.";
        return reader._error is { } error ? MetadataResult<TorrentInfo>.Failed(error) : reader.Finish(info);
    }

    private void ReadDictionary()
    {
        if (!_reader.ReadValue(BencodeToken.Dictionary))
        {
            _error = _reader.Error is { } error ? $"The torrent's info dictionary {error}." : "The torrent's info is not a dictionary.";
            return;
        }

        while (_error is null && _reader.ReadKey())
            ReadEntry(_reader.Text);
        if (_reader.Error is { } broken)
            _error ??= $"The torrent's info dictionary {broken}.";
    }

    private void ReadEntry(ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("piece length"u8))
            _pieceLength = _reader.ReadInteger(_pieceLength);
        else if (key.SequenceEqual("length"u8))
            _length = _reader.ReadInteger(_length);
        else if (key.SequenceEqual("private"u8))
            _private |= _reader.ReadInteger(0) == 1;
        else if (key.SequenceEqual("pieces"u8) && _pieces is null)
            _pieces = _reader.ReadValue(BencodeToken.Text) ? _reader.Text.ToArray() : null;
        else if (key.SequenceEqual("name"u8) && _name is null)
            _name = _reader.ReadValue(BencodeToken.Text) ? SafePath.Part(_reader.Text) : null;
        else if (key.SequenceEqual("name.utf-8"u8) && _betterName is null)
            _betterName = _reader.ReadValue(BencodeToken.Text) ? SafePath.Part(_reader.Text) : null;
        else if (key.SequenceEqual("files"u8) && !_hasFiles)
            ReadFiles();
        else
            SkipValue(key);
    }

    private void SkipValue(ReadOnlySpan<byte> key)
    {
        _hasTree |= key.SequenceEqual("file tree"u8);
        _reader.SkipValue();
    }

    private void ReadFiles()
    {
        _hasFiles = true;
        if (!_reader.ReadValue(BencodeToken.List))
            return;
        while (_error is null && _reader.ReadElement())
        {
            if (_reader.Token == BencodeToken.Dictionary)
                ReadFile();
            else
                _error = "The torrent's file list holds something that is not a file.";
        }
    }

    private void ReadFile()
    {
        long length = -1;
        string? path = null;
        string? betterPath = null;
        var padding = false;
        var link = false;
        while (_reader.ReadKey())
        {
            var key = _reader.Text;
            if (key.SequenceEqual("length"u8))
            {
                length = _reader.ReadInteger(length);
            }
            else if (key.SequenceEqual("path"u8))
            {
                path = ReadPath() ?? path;
            }
            else if (key.SequenceEqual("path.utf-8"u8))
            {
                betterPath = ReadPath() ?? betterPath;
            }
            else if (key.SequenceEqual("attr"u8))
            {
                // BEP 47: p = padding, l = symbolic link, x and h are ignored.
                var told = _reader.ReadValue(BencodeToken.Text);
                padding = told && _reader.Text.Contains((byte)'p');
                link = told && _reader.Text.Contains((byte)'l');
            }
            else
            {
                _reader.SkipValue();
            }
        }

        if (_reader.Error is null)
            AddFile(betterPath ?? path, length, padding, link);
    }

    private string? ReadPath()
    {
        if (!_reader.ReadValue(BencodeToken.List))
            return null;
        var parts = new List<string>();
        while (_reader.ReadElement())
        {
            if (_reader.Token != BencodeToken.Text)
                _reader.SkipRest();
            else if (SafePath.Part(_reader.Text) is { Length: > 0 } part)
                parts.Add(part);
        }

        return parts.Count is 0 or > 64 ? null : string.Join('/', parts);
    }

    private void AddFile(string? path, long length, bool padding, bool link)
    {
        if (length < 0 || length > long.MaxValue - _total)
        {
            _error = "The torrent has a file without a usable length.";
            return;
        }

        if (link && length == 0)
            return;

        // BitComet marked padding by its name before BEP 47 defined the attribute.
        padding |= path is not null && path.StartsWith("_____padding_file_", StringComparison.Ordinal);
        path = padding ? ".pad/" + _files.Count.ToString(CultureInfo.InvariantCulture) : Unique(path ?? "file " + (_files.Count + 1).ToString(CultureInfo.InvariantCulture));
        _files.Add(new TorrentFile(path, _total, length, padding));
        _total += length;
    }

    /// <summary>Makes a path unique: no other file has it, uses it as a folder, or is a folder above it.</summary>
    private readonly string Unique(string path)
    {
        for (var slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
        {
            if (!_paths.Contains(path[..slash]))
                continue;
            var folder = Free(path[..slash], mayBeFolder: true);
            path = folder + path[slash..];
            slash = folder.Length;
        }

        path = Free(path, mayBeFolder: false);
        _paths.Add(path);
        for (var slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
            _folders.Add(path[..slash]);
        return path;
    }

    /// <summary>The path itself, or with the next number that makes it free. Remembers the numbers used: a million equal names would otherwise take for
    /// ever.</summary>
    private readonly string Free(string wanted, bool mayBeFolder)
    {
        var path = wanted;
        while (_paths.Contains(path) || (!mayBeFolder && _folders.Contains(path)))
        {
            var number = _numbers.GetValueOrDefault(wanted, 1) + 1;
            _numbers[wanted] = number;
            path = SafePath.Numbered(wanted, number);
        }

        return path;
    }

    private MetadataResult<TorrentInfo> Finish(ReadOnlyMemory<byte> info)
    {
        var name = _betterName is { Length: > 0 } better ? better : _name;
        var hash = InfoHash.Of(info.Span);
        if (string.IsNullOrEmpty(name))
            name = hash.ToString();
        if (!_hasFiles)
            AddFile(name, _length, padding: false, link: false);
        if (Flaw() is { } flaw)
            return MetadataResult<TorrentInfo>.Failed(flaw);
        return MetadataResult<TorrentInfo>.Of(new TorrentInfo(hash, info, name, (int)_pieceLength, _pieces!, _files, _private));
    }

    private readonly string? Flaw()
    {
        if (_pieces is null && _hasTree)
            return "This is a torrent of version 2 only, which is not supported yet. Use a hybrid torrent (versions 1 and 2).";
        if (_pieces is null || _pieces.Length % InfoHash.Size != 0)
            return "The torrent's list of piece hashes is missing or broken.";
        if (_pieces.Length / InfoHash.Size > MostPieces)
            return string.Create(CultureInfo.InvariantCulture, $"The torrent has more than {MostPieces} pieces.");
        if (_error is not null)
            return _error;
        if (_pieceLength is < LeastPieceLength or > MostPieceLength)
            return string.Create(CultureInfo.InvariantCulture, $"The torrent's pieces are {_pieceLength} bytes long; {LeastPieceLength} to {MostPieceLength} are supported.");
        if (_total == 0)
            return "The torrent's files are all empty.";
        var pieces = ((_total - 1) / _pieceLength) + 1;
        if (pieces == _pieces.Length / InfoHash.Size)
            return null;
        return string.Create(CultureInfo.InvariantCulture, $"The torrent's files need {pieces} pieces, but it has {_pieces.Length / InfoHash.Size} hashes.");
    }
}
