using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>Handles what precedes the root element, and its errors.</summary>
internal sealed partial class NzbParser
{
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
                    return Fail(NzbErrorKind.LimitExceeded, _tokens.Position, "The <nzb> tag is far too long; a quote is probably never closed.");
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
                    $"A tag or attribute is longer than the {NzbTag.MaxAttribute >> 10} KiB that are allowed; a quote is probably never closed."),
                _ => Fail(
                    NzbErrorKind.Truncated,
                    _tokens.Position,
                    $"The NZB breaks off here: <nzb>, opened at line {_root.Line}, is never closed. Complete files before this point: {_files.Count}. Get it again."),
            };
            if (!going)
                return false;
        }

        return true;
    }
}
