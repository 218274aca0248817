using System.Buffers;
using System.Collections.Immutable;

namespace NzbDav.Usenet.Nzb;

/// <summary>Builds a document from tokens. For one use.</summary>
internal sealed partial class NzbParser
{
    /// <summary>Deepest nesting allowed; an NZB needs five levels.</summary>
    private const int MaxDepth = 64;

    /// <summary>Most meta elements kept; a few are usual.</summary>
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

    /// <summary>Index in <see cref="_files"/> by the first article.</summary>
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
            _error = new NzbError(NzbErrorKind.LimitExceeded, 1, 1, $"The file is longer than the {_options.MaxBytes} bytes that are allowed for an NZB.");
        return _error is null ? new NzbReadResult(document, error: null, _warnings.ToList()) : new NzbReadResult(document: null, _error, _warnings.ToList());
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

    /// <summary>Closes open elements where one begins that cannot be inside them.</summary>
    private void CloseUnclosed(NzbElement opening)
    {
        var level = (int)opening / 10;
        for (var i = 1; i < _depth; i++)
        {
            if (_open[i] is NzbElement.Other || (int)_open[i] / 10 < level)
                continue;
            _warnings.Add(_tokens.Position, $"<{_open[i].ToString().ToLowerInvariant()}> is not closed before <{opening.ToString().ToLowerInvariant()}>.");
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
            return Fail(NzbErrorKind.LimitExceeded, _tokens.Position, $"A text is longer than the {NzbTag.MaxAttribute >> 10} KiB that are allowed.");
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
                    Fail(NzbErrorKind.LimitExceeded, _file.Position, $"The NZB lists more than the {_options.MaxFiles} files that are allowed.");
                else
                    Add(file);
                break;
        }
    }

    /// <summary>Adds a file. Some indexers list a file twice; of two that begin with the same article the longer one is kept.</summary>
    private void Add(NzbFile file)
    {
        if (_listed.TryAdd(file.Segments[0].MessageIdUtf8, _files.Count))
        {
            _files.Add(file);
            return;
        }

        _warnings.Add(_file.Position, $"{NzbFileBuilder.Short(file.Subject)}: another file begins with the same article; the one with more of them is kept.");
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
            Fail(NzbErrorKind.LimitExceeded, _tokens.Position, $"The NZB lists more than the {_options.MaxSegments} segments that are allowed.");
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
}
