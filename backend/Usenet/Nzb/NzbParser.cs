using System.Buffers;
using System.Collections.Immutable;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>Builds a document from tokens. For one use.</summary>
internal sealed class NzbParser
{
    /// <summary>Deepest nesting allowed. An NZB needs five levels.</summary>
    private const int MaxDepth = 64;

    /// <summary>Most meta elements kept. A few are usual.</summary>
    private const int MaxMeta = 1000;

    private readonly NzbInput _input;
    private readonly NzbReaderOptions _options;
    private readonly NzbTokenizer _tokens;
    private readonly NzbText _text = new();
    private readonly NzbValues _values;
    private readonly NzbWarnings _warnings = new();
    private readonly NzbFileBuilder _file;
    private readonly NzbIdBlocks _ids = new();
    private readonly NzbElement[] _open = new NzbElement[MaxDepth];
    private readonly ArrayBufferWriter<byte> _capture = new();
    private readonly List<NzbFile> _files = [];

    /// <summary>Index in <see cref="_files"/>, by the file's first message-id.</summary>
    private readonly Dictionary<ReadOnlyMemory<byte>, int> _listed = new(NzbIdComparer.Instance);
    private readonly Dictionary<string, List<string>> _meta = new(StringComparer.OrdinalIgnoreCase);
    private (int Line, int Column) _root;
    private (int Line, int Column)? _firstFile;
    private NzbError? _error;
    private int _depth;
    private int _nestedRoots;
    private int _metaCount;
    private int _segments;
    private int _number;
    private int _bytes;
    private string _metaType = string.Empty;

    public NzbParser(NzbInput input, NzbReaderOptions options)
    {
        _values = new NzbValues(_text);
        _input = input;
        _options = options;
        _tokens = new NzbTokenizer(input);
        _file = new NzbFileBuilder(_warnings);
    }

    public NzbReadResult Run()
    {
        var document = FindRoot() && ReadRoot() ? Finish() : null;
        if (_input.TooLong)
            _error = new NzbError(
                NzbErrorKind.LimitExceeded, 1, 1, $"The file is longer than the {_options.MaxBytes} bytes that are allowed for an NZB.");
        return _error is null
            ? new NzbReadResult(document, error: null, _warnings.ToList()) : new NzbReadResult(document: null, _error, _warnings.ToList());
    }

    private NzbDocument? Finish()
    {
        if (_firstFile is null)
            Fail(NzbErrorKind.NoFiles, _root, "The NZB lists no files.");
        else if (_files.Count == 0)
            Fail(NzbErrorKind.NoSegments, _firstFile.Value, "No file in the NZB has a segment that could be fetched.");
        if (_error is not null)
            return null;
        if (!_tokens.OnlyWhiteSpaceFollows())
            _warnings.Add(_tokens.Position, "What follows the end of the NZB is ignored.");
        return new NzbDocument(
            _meta.ToDictionary(entry => entry.Key, entry => entry.Value.ToImmutableArray(), StringComparer.OrdinalIgnoreCase),
            [.. NzbPartFiles.Join(_files)]);
    }

    private bool Fail(NzbErrorKind kind, (int Line, int Column) where, string message)
    {
        _error ??= new NzbError(kind, where.Line, where.Column, message);
        return false;
    }

    private bool Push(NzbElement element)
    {
        if (_depth == MaxDepth)
            return Fail(NzbErrorKind.LimitExceeded, _tokens.Position, $"Elements are nested more than {MaxDepth} deep.");
        _open[_depth++] = element;
        return true;
    }

    private bool OnStart()
    {
        var element = NzbElements.Of(_tokens.Name);
        if (element is NzbElement.Nzb)
        {
            _warnings.Add(_tokens.Position, "An <nzb> inside the <nzb> is read as if it were not there.");
            _nestedRoots += _tokens.SelfClosing ? 0 : 1;
            return true;
        }

        if (element is not NzbElement.Other)
            CloseUnclosed(element);
        Begin(element);
        if (!Push(element))
            return false;
        if (_tokens.SelfClosing)
            Pop();
        return _error is null;
    }

    /// <summary>Closes open elements that cannot contain the one being opened.</summary>
    private void CloseUnclosed(NzbElement opening)
    {
        var level = (int)opening / 10;
        for (var i = 1; i < _depth; i++)
        {
            if (_open[i] is NzbElement.Other || (int)_open[i] / 10 < level)
                continue;
            _warnings.Add(_tokens.Position,
                $"<{_open[i].ToString().ToLowerInvariant()}> is not closed before <{opening.ToString().ToLowerInvariant()}>.");
            while (_depth > i)
                Pop();
            return;
        }
    }

    private bool OnEnd()
    {
        var element = NzbElements.Of(_tokens.Name);
        if (element is NzbElement.Nzb && _nestedRoots > 0)
        {
            _nestedRoots--;
            return true;
        }

        var at = _depth - 1;
        if (element is not NzbElement.Other)
        {
            while (at >= 0 && _open[at] != element)
                at--;
        }
        else if (_open[at] is not NzbElement.Other)
        {
            at = -1;
        }

        if (at < 0)
            _warnings.Add(_tokens.Position, "A closing tag without an opening one is ignored.");
        else
            while (_depth > at)
                Pop();
        return _error is null;
    }

    private bool OnText(bool literal)
    {
        if (_open[_depth - 1] is not (NzbElement.Segment or NzbElement.Group or NzbElement.Meta))
            return true;
        var text = _tokens.Text;
        if (_capture.WrittenCount + text.Length > NzbTag.MaxAttribute)
            return Fail(NzbErrorKind.LimitExceeded, _tokens.Position,
                $"A text is longer than the {NzbTag.MaxAttribute >> 10} KiB that are allowed.");
        while (literal && text.IndexOf((byte)'&') is >= 0 and var at)
        {
            _capture.Write(text[..at]);
            _capture.Write("&amp;"u8);
            text = text[(at + 1)..];
        }

        _capture.Write(text);
        return true;
    }

    private void Begin(NzbElement element)
    {
        switch (element)
        {
            case NzbElement.Segment:
                _number = NzbValues.Number(_tokens.Attribute("number"u8), NzbFileBuilder.Unnumbered);
                _bytes = NzbValues.Number(_tokens.Attribute("bytes"u8), otherwise: 0);
                break;
            case NzbElement.Meta:
                _metaType = _text.Decode(_tokens.Attribute("type"u8)).Trim();
                break;
            case NzbElement.File:
                _firstFile ??= _tokens.Position;
                _file.Begin(
                    _tokens.Position,
                    _values.Text(_tokens.Attribute("subject"u8)),
                    _values.Text(_tokens.Attribute("poster"u8)),
                    _values.Date(_tokens.Attribute("date"u8)));
                break;
        }

        _capture.ResetWrittenCount();
    }

    private void Pop()
    {
        switch (_open[--_depth])
        {
            case NzbElement.Segment:
                EndSegment();
                break;
            case NzbElement.Group when InFile():
                _file.AddGroup(_text.Decode(_capture.WrittenSpan).Trim());
                break;
            case NzbElement.Meta:
                EndMeta();
                break;
            case NzbElement.File when _file.Finish() is { } file:
                if (_files.Count == _options.MaxFiles)
                    Fail(NzbErrorKind.LimitExceeded, _file.Position,
                        $"The NZB lists more than the {_options.MaxFiles} files that are allowed.");
                else
                    Add(file);
                break;
        }
    }

    /// <summary>Adds a file. Some indexers list a file twice: of two that begin with the same article the longer one is kept.</summary>
    private void Add(NzbFile file)
    {
        if (_listed.TryAdd(file.Segments[0].MessageIdUtf8, _files.Count))
        {
            _files.Add(file);
            return;
        }

        _warnings.Add(_file.Position,
            $"{NzbFileBuilder.Short(file.Subject)}: another file begins with the same article; the one with more of them is kept.");
        var known = _listed[file.Segments[0].MessageIdUtf8];
        if (_files[known].Segments.Length < file.Segments.Length)
            _files[known] = file;
    }

    private bool InFile() => _open.AsSpan(0, _depth).Contains(NzbElement.File);

    private void EndSegment()
    {
        if (!InFile())
            _warnings.Add(_tokens.Position, "A segment outside a file is ignored.");
        else if (_segments == _options.MaxSegments)
            Fail(NzbErrorKind.LimitExceeded, _tokens.Position,
                $"The NZB lists more than the {_options.MaxSegments} segments that are allowed.");
        else if (NzbMessageId.TryNormalize(_capture.WrittenSpan, _text, out var id))
        {
            _segments++;
            _file.AddSegment(_number, _bytes, _ids.Add(id));
        }
        else
        {
            _file.SkipSegment();
        }
    }

    private void EndMeta()
    {
        var value = _text.Decode(_capture.WrittenSpan).Trim();
        if (_metaType.Length == 0 || value.Length == 0 || _metaCount++ >= MaxMeta)
            return;
        if (!_meta.TryGetValue(_metaType, out var values))
            _meta[_metaType] = values = [];
        values.Add(value);
    }

    // Handles what precedes the root element, and its errors.

    private bool FindRoot()
    {
        (int Line, int Column) where = (1, 1);
        string? tag = null, code = null, description = null;
        while (true)
        {
            switch (_tokens.NextTagBeforeRoot("nzb"u8, first: tag is null))
            {
                case NzbTokenKind.StartTag when Ascii.EqualsIgnoreCase(_tokens.Name, "nzb"u8):
                    _root = _tokens.Position;
                    if (_tokens.DeclaredEncoding is { } encoding)
                        _text.Declare(encoding);
                    Push(NzbElement.Nzb);
                    if (_tokens.SelfClosing)
                        _depth = 0;
                    return true;
                case NzbTokenKind.StartTag:
                    if (tag is not null)
                        break;
                    where = _tokens.Position;
                    tag = _text.Decode(_tokens.Name);
                    code = _text.Decode(_tokens.Attribute("code"u8));
                    description = _text.Decode(_tokens.Attribute("description"u8));
                    break;
                case NzbTokenKind.TooLong:
                    return Fail(
                        NzbErrorKind.LimitExceeded, _tokens.Position, "The <nzb> tag is far too long; a quote is probably never closed.");
                case var _ when tag is null:
                    return Fail(NzbErrorKind.NotXml, where, NzbForeignFormat.Describe(_input.Head.Span));
                default:
                    return Fail(NzbErrorKind.NoRoot, where, NzbForeignFormat.DescribeXml(tag, code, description));
            }
        }
    }

    private bool ReadRoot()
    {
        while (_depth > 0)
        {
            var going = _tokens.Next() switch
            {
                NzbTokenKind.StartTag => OnStart(),
                NzbTokenKind.EndTag => OnEnd(),
                NzbTokenKind.Text => OnText(literal: false),
                NzbTokenKind.Literal => OnText(literal: true),
                NzbTokenKind.TooLong => Fail(
                    NzbErrorKind.LimitExceeded,
                    _tokens.Position,
                    $"A tag or attribute is longer than the {NzbTag.MaxAttribute >> 10} KiB that are allowed; a quote is probably never " +
                    $"closed."),
                _ => Fail(
                    NzbErrorKind.Truncated,
                    _tokens.Position,
                    $"The NZB breaks off here: <nzb>, opened at line {_root.Line}, is never closed. Complete files before this point: " +
                    $"{_files.Count}. Get it again."),
            };
            if (!going)
                return false;
        }

        return true;
    }
}

/// <summary>The elements of an NZB. The tens are the nesting depth: an opening tag closes elements of the same or greater depth.</summary>
internal enum NzbElement
{
    Nzb = 0,
    Head = 10,
    File = 11,
    Meta = 20,
    Groups = 21,
    Segments = 22,
    Group = 30,
    Segment = 31,

    /// <summary>Any other element: may occur anywhere and is ignored.</summary>
    Other = 90,
}

/// <summary>Maps names to elements.</summary>
internal static class NzbElements
{
    /// <summary>The element of a name; case does not matter.</summary>
    public static NzbElement Of(ReadOnlySpan<byte> name) => name.Length switch
    {
        7 when Ascii.EqualsIgnoreCase(name, "segment"u8) => NzbElement.Segment,
        8 when Ascii.EqualsIgnoreCase(name, "segments"u8) => NzbElement.Segments,
        5 when Ascii.EqualsIgnoreCase(name, "group"u8) => NzbElement.Group,
        6 when Ascii.EqualsIgnoreCase(name, "groups"u8) => NzbElement.Groups,
        4 when Ascii.EqualsIgnoreCase(name, "file"u8) => NzbElement.File,
        4 when Ascii.EqualsIgnoreCase(name, "meta"u8) => NzbElement.Meta,
        4 when Ascii.EqualsIgnoreCase(name, "head"u8) => NzbElement.Head,
        3 when Ascii.EqualsIgnoreCase(name, "nzb"u8) => NzbElement.Nzb,
        _ => NzbElement.Other,
    };
}

/// <summary>Describes input that was added as an NZB but is something else. People drop archives, torrents and error pages.</summary>
internal static class NzbForeignFormat
{
    /// <summary>Describes input without any XML tag.</summary>
    public static string Describe(ReadOnlySpan<byte> head) => head switch
    {
        [] => "The file is empty.",
        [0x1F, 0x8B, ..] => "This is a gzip file, not an NZB: unpack it first.",
        [(byte)'P', (byte)'K', 3, 4, ..] => "This is a zip archive, not an NZB: unpack it first.",
        [(byte)'R', (byte)'a', (byte)'r', (byte)'!', ..] => "This is a RAR archive, not an NZB.",
        [(byte)'7', (byte)'z', 0xBC, 0xAF, ..] => "This is a 7z archive, not an NZB.",
        [0x28, 0xB5, 0x2F, 0xFD, ..] => "This is a zstd file, not an NZB: unpack it first.",
        [(byte)'d', >= (byte)'1' and <= (byte)'9', (byte)':' or (>= (byte)'0' and <= (byte)'9'), ..] => "This is a torrent, not an NZB.",
        [(byte)'{' or (byte)'[', ..] => "This is JSON, not an NZB: the indexer probably answered with an error.",
        _ => "This is not an NZB: there is no XML in it.",
    };

    /// <summary>Describes XML or HTML without an <c>nzb</c> element.</summary>
    /// <param name="firstTag">The first element's name.</param>
    /// <param name="code">Its <c>code</c> attribute, empty if it has none.</param>
    /// <param name="description">Its <c>description</c> attribute, empty if it has none.</param>
    public static string DescribeXml(string firstTag, string? code, string? description)
    {
        // https://newznab.readthedocs.io/en/latest/misc/api/#newznab-error-codes
        if (firstTag.Equals("error", StringComparison.OrdinalIgnoreCase) && !string.IsNullOrWhiteSpace(description))
            return $"The indexer answered with an error instead of an NZB: {description} (code " +
                $"{(string.IsNullOrWhiteSpace(code) ? "unknown" : code)}).";
        if (firstTag.Equals("html", StringComparison.OrdinalIgnoreCase))
            return "This is a web page, not an NZB: the link probably led to an error or login page.";
        if (firstTag.Equals("rss", StringComparison.OrdinalIgnoreCase))
            return "This is an RSS feed, not an NZB.";
        return $"This is not an NZB: there is no <nzb> in it; the first tag is <{firstTag}>.";
    }
}
