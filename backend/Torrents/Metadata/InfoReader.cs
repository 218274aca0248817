using System.Globalization;

namespace NzbDav.Torrents.Metadata;

/// <summary>Reads an info dictionary. Repairs irregularities; refuses an unusable dictionary with a message.</summary>
internal ref struct InfoReader
{
    /// <summary>Longest piece in bytes. A piece stays in memory until it is verified. Programs write up to 64 MiB.</summary>
    public const int MostPieceLength = 128 << 20;

    /// <summary>Shortest piece in bytes. Programs write 16 KiB and more; shorter pieces would only make tables huge.</summary>
    public const int LeastPieceLength = 1 << 10;

    /// <summary>
    /// Most pieces. A peer's bitfield of this many still fits into the receive buffer. With pieces of 1 MiB this is 2 TB.
    /// </summary>
    public const int MostPieces = 2_000_000;

    private readonly HashSet<string> _paths = new(StringComparer.Ordinal);
    private readonly HashSet<string> _folders = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly List<TorrentFile> _files = [];
    private BencodeReader _reader;
    private byte[]? _pieces;
    private string? _name;
    private string? _betterName;
    private string? _address;
    private string? _betterAddress;
    private long _pieceLength = -1;
    private long _length = -1;
    private long _total;
    private int _links;
    private bool _hasFiles;
    private bool _private;
    private bool _hasTree;
    private long _version = 1;
    private string? _error;

    private InfoReader(ReadOnlySpan<byte> info) => _reader = new BencodeReader(info);

    /// <param name="info">The dictionary's exact bytes. The result keeps a reference to them.</param>
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
        else if (key.SequenceEqual("meta version"u8))
            _version = _reader.ReadInteger(_version);
        else if (key.SequenceEqual("private"u8))
            _private |= ReadPrivate();
        else if (key.SequenceEqual("pieces"u8) && _pieces is null)
            _pieces = _reader.ReadValue(BencodeToken.Text) ? _reader.Text.ToArray() : null;
        else if (key.SequenceEqual("name"u8) && _name is null)
            _name = ReadName(out _address);
        else if (key.SequenceEqual("name.utf-8"u8) && _betterName is null)
            _betterName = ReadName(out _betterAddress);
        else if (key.SequenceEqual("files"u8) && !_hasFiles)
            ReadFiles();
        else
            SkipValue(key);
    }

    /// <summary>
    /// True for any value but the integer 0 (BEP 27 defines only 1). An author who set the key did not intend a public torrent, and leaking
    /// a private one's peers and passkey costs the user the account.
    /// </summary>
    private bool ReadPrivate()
    {
        if (!_reader.Read())
            return false;
        var isPublic = _reader is { Token: BencodeToken.Integer, Integer: 0 };
        _reader.SkipRest();
        return !isPublic;
    }

    private string? ReadName(out string? address)
    {
        address = null;
        if (!_reader.ReadValue(BencodeToken.Text))
            return null;
        address = PercentText.Escape(_reader.Text);
        return SafePath.Part(_reader.Text);
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
        string? address = null;
        string? betterAddress = null;
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
                path = ReadPath(ref address) ?? path;
            }
            else if (key.SequenceEqual("path.utf-8"u8))
            {
                betterPath = ReadPath(ref betterAddress) ?? betterPath;
            }
            else if (key.SequenceEqual("attr"u8))
            {
                // BEP 47: p = padding, l = symbolic link; x and h are ignored.
                var isText = _reader.ReadValue(BencodeToken.Text);
                padding = isText && _reader.Text.Contains((byte)'p');
                link = isText && _reader.Text.Contains((byte)'l');
            }
            else
            {
                _reader.SkipValue();
            }
        }

        if (_reader.Error is null)
            AddFile(betterPath ?? path, betterPath is null ? address : betterAddress, length, padding, link);
    }

    private string? ReadPath(ref string? address)
    {
        if (!_reader.ReadValue(BencodeToken.List))
            return null;
        var parts = new List<string>();
        var raw = new List<string>();
        while (_reader.ReadElement())
        {
            if (_reader.Token != BencodeToken.Text)
            {
                _reader.SkipRest();
            }
            else if (SafePath.Part(_reader.Text) is { Length: > 0 } part)
            {
                parts.Add(part);
                raw.Add(PercentText.Escape(_reader.Text));
            }
        }

        if (parts.Count is 0 or > 64)
            return null;
        address = string.Join('/', raw);
        return string.Join('/', parts);
    }

    private void AddFile(string? path, string? address, long length, bool padding, bool link)
    {
        if (length < 0 || length > long.MaxValue - _total)
        {
            _error = "The torrent has a file without a usable length.";
            return;
        }

        if (link && length == 0)
        {
            _links++;
            return;
        }

        // Before BEP 47 defined the attribute, programs marked padding by its name.
        padding |= path is not null && IsPaddingName(path);
        path = padding ? ".pad/" + _files.Count.ToString(CultureInfo.InvariantCulture) : Unique(
            path ?? "file " + (_files.Count + 1).ToString(CultureInfo.InvariantCulture));
        _files.Add(new TorrentFile(path, _total, length, padding)
        {
            Address = padding ? null : Unless(address, path),
            LinksBefore = _links,
        });
        _total += length;
    }

    /// <summary>The address; null if it follows from the name.</summary>
    private static string? Unless(string? address, string name) => address == PercentText.EscapePath(name) ? null : address;

    /// <summary>True for BitComet's names, in any folder, and those of libtorrent and of tools that imitate it.</summary>
    private static bool IsPaddingName(string path) => path.StartsWith(".____padding_file/", StringComparison.Ordinal)
        || path.AsSpan(path.LastIndexOf('/') + 1).StartsWith("_____padding_file_", StringComparison.Ordinal);

    /// <summary>Makes a path unique: no other file has it, uses it as a folder, or is a folder above it.</summary>
    private readonly string Unique(string path)
    {
        for (var slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
        {
            if (!_paths.Contains(path[..slash]))
                continue;
            var folder = MakeUnique(path[..slash], mayBeFolder: true);
            path = folder + path[slash..];
            slash = folder.Length;
        }

        path = MakeUnique(path, mayBeFolder: false);
        _paths.Add(path);
        for (var slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
            _folders.Add(path[..slash]);
        return path;
    }

    /// <summary>
    /// The path itself, or the path with the next number that makes it unique. Remembers the numbers used: a million equal names would
    /// otherwise take quadratic time.
    /// </summary>
    private readonly string MakeUnique(string wanted, bool mayBeFolder)
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
        var (name, address) = _betterName is { Length: > 0 } better ? (better, _betterAddress) : (_name, _address);
        var hash = InfoHash.Of(info.Span);
        if (string.IsNullOrEmpty(name))
            name = hash.ToString();
        if (!_hasFiles)
            AddFile(name, address, _length, padding: false, link: false);
        if (FindFault() is { } flaw)
            return MetadataResult<TorrentInfo>.Failed(flaw);
        return MetadataResult<TorrentInfo>.Of(new TorrentInfo(hash, info, name, (int)_pieceLength, _pieces!, _files, _private)
        {
            Address = Unless(address, name),
            IsSingleFile = !_hasFiles,

            // BEP 52: with "meta version" 2 and a file tree, a torrent that also has pieces is a hybrid.
            Alias = _hasTree && _version == 2 ? InfoHash.AliasOf(info.Span) : null,
        });
    }

    private readonly string? FindFault()
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
            return string.Create(CultureInfo.InvariantCulture,
                $"The torrent's pieces are {_pieceLength} bytes long; {LeastPieceLength} to {MostPieceLength} are supported.");
        if (_total == 0)
            return "The torrent's files are all empty.";
        var pieces = ((_total - 1) / _pieceLength) + 1;
        if (pieces == _pieces.Length / InfoHash.Size)
            return null;
        return string.Create(
            CultureInfo.InvariantCulture, $"The torrent's files need {pieces} pieces, but it has {_pieces.Length / InfoHash.Size} hashes.");
    }
}
