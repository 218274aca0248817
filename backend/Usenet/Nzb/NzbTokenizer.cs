using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Splits an <see cref="NzbInput"/> into tags and text. Comments, processing instructions and the document type are skipped. Returned spans
/// are valid until the next call.
/// </summary>
internal sealed class NzbTokenizer(NzbInput input)
{
    /// <summary>Longest tag: four attributes of the longest length. The format has no element with more attributes.</summary>
    private const int MaxTag = 4 * NzbTag.MaxAttribute;

    /// <summary>Bytes needed to recognise what a <c>&lt;</c> begins: <c>&lt;![CDATA[</c> or <c>&lt;!DOCTYPE</c>.</summary>
    private const int MarkupPrefix = 9;

    private readonly NzbTag _tag = new();
    private int _token;
    private int _textLength;
    private bool _inCData;

    /// <summary>Name of the last tag without its namespace prefix.</summary>
    public ReadOnlySpan<byte> Name => _tag.Name(input.Window);

    /// <summary>True if the last tag closes itself.</summary>
    public bool SelfClosing => _tag.SelfClosing;

    /// <summary>The last text.</summary>
    public ReadOnlySpan<byte> Text => input.Window[.._textLength];

    /// <summary>The encoding stated in the XML declaration; null if it states none.</summary>
    public string? DeclaredEncoding { get; private set; }

    /// <summary>Line and column of the last token's first byte.</summary>
    public (int Line, int Column) Position => input.Locate(0);

    /// <summary>The raw value of an attribute of the last tag; empty if the tag has no such attribute. Ignores case.</summary>
    public ReadOnlySpan<byte> Attribute(ReadOnlySpan<byte> name) =>
        _tag.TryGetAttribute(input.Window, name, out var value) ? value : default;

    /// <summary>
    /// The next opening tag before the root has been found. Anything around it is skipped. Tags not named <paramref name="root"/> are
    /// returned too, but only the first one with its attributes.
    /// </summary>
    public NzbTokenKind NextTagBeforeRoot(ReadOnlySpan<byte> root, bool first)
    {
        while (true)
        {
            EndToken();
            if (!SkipTo((byte)'<') || !EnsureWindow(MarkupPrefix))
                return End();
            if (TrySkipMarkup(out var ended))
            {
                if (ended)
                    return NzbTokenKind.End;
                continue;
            }

            _token = 1;
            if (ReadName() is not NzbTagStatus.Complete || _tag.Closing)
                continue;
            if (Ascii.EqualsIgnoreCase(Name, root))
                return ReadTag();

            // This may only look like a tag. Its apparent extent may contain the root, so the search continues after its first byte.
            if (first && _tag.Parse(input.Window) is not NzbTagStatus.Complete)
                _tag.DropAttributes();
            return NzbTokenKind.StartTag;
        }
    }

    /// <summary>The next token after the root's opening tag.</summary>
    public NzbTokenKind Next()
    {
        while (true)
        {
            EndToken();
            if (_inCData)
            {
                if (ReadCData())
                    return NzbTokenKind.Literal;
                if (_inCData)
                    return End();
                continue;
            }

            if (input.Window.IsEmpty && !input.Fill())
                return NzbTokenKind.End;
            if (input.Window[0] != '<')
                return ReadText(behind: 0);
            EnsureWindow(MarkupPrefix);
            if (TrySkipMarkup(out var ended))
            {
                if (ended)
                    return NzbTokenKind.End;
                continue;
            }

            if (input.Window.StartsWith("<![CDATA["u8))
            {
                input.Consume("<![CDATA[".Length);
                _inCData = true;
                continue;
            }

            return ReadTag();
        }
    }

    /// <summary>True if only white space follows the last token.</summary>
    public bool OnlyWhiteSpaceFollows()
    {
        EndToken();
        while (true)
        {
            if (input.Window.ContainsAnyExcept(" \t\r\n"u8))
                return false;
            input.Consume(input.Window.Length);
            if (!input.Fill())
                return true;
        }
    }

    private void EndToken()
    {
        input.Consume(_token);
        _token = 0;
    }

    private NzbTokenKind End()
    {
        // The rest is the beginning of an unfinished token.
        input.Consume(input.Window.Length);
        return NzbTokenKind.End;
    }

    /// <summary>Tries to get <paramref name="count"/> bytes into the window; true if the window is not empty.</summary>
    private bool EnsureWindow(int count)
    {
        while (input.Window.Length < count && input.Fill())
        {
        }

        return !input.Window.IsEmpty;
    }

    private bool SkipTo(byte b)
    {
        while (true)
        {
            var at = input.Window.IndexOf(b);
            if (at >= 0)
            {
                input.Consume(at);
                return true;
            }

            input.Consume(input.Window.Length);
            if (!input.Fill())
                return false;
        }
    }

    private bool SkipPast(ReadOnlySpan<byte> terminator)
    {
        while (true)
        {
            var at = input.Window.IndexOf(terminator);
            if (at >= 0)
            {
                input.Consume(at + terminator.Length);
                return true;
            }

            input.Consume(Math.Max(0, input.Window.Length - terminator.Length + 1));
            if (!input.Fill())
                return false;
        }
    }

    private NzbTagStatus ReadName()
    {
        var status = _tag.ParseName(input.Window, out _);
        while (status is NzbTagStatus.NeedMore && input.Window.Length < 256 && input.Fill())
            status = _tag.ParseName(input.Window, out _);
        return status;
    }

    private NzbTokenKind ReadTag()
    {
        while (true)
        {
            switch (_tag.Parse(input.Window))
            {
                case NzbTagStatus.Complete:
                    _token = _tag.Length;
                    return _tag.Closing ? NzbTokenKind.EndTag : NzbTokenKind.StartTag;
                case NzbTagStatus.NotATag:
                    return ReadText(behind: 1);
                case NzbTagStatus.TooLong:
                case NzbTagStatus.NeedMore when input.Window.Length > MaxTag:
                    return NzbTokenKind.TooLong;
                default:
                    if (!input.Fill())
                        return End();
                    break;
            }
        }
    }

    private NzbTokenKind ReadText(int behind)
    {
        var at = input.Window[behind..].IndexOf((byte)'<');
        _textLength = _token = at < 0 ? input.Window.Length : behind + at;
        return NzbTokenKind.Text;
    }

    /// <summary>
    /// The next piece of a CDATA section. False at the section's end, or at the end of the input with <see cref="_inCData"/> still set.
    /// </summary>
    private bool ReadCData()
    {
        while (true)
        {
            var end = input.Window.IndexOf("]]>"u8);
            if (end >= 0)
            {
                _inCData = false;
                _textLength = end;
                _token = end + 3;
                return end > 0 || Ended();
            }

            if (input.Window.Length > 2)
            {
                _textLength = _token = input.Window.Length - 2;
                return true;
            }

            if (!input.Fill())
                return false;
        }

        bool Ended()
        {
            EndToken();
            return false;
        }
    }

    // Markup other than elements: comments, instructions, the declaration and the DOCTYPE.

    /// <summary>Skips a comment, a processing instruction or a document type, if one is next.</summary>
    /// <param name="ended">True if the input ended inside it.</param>
    private bool TrySkipMarkup(out bool ended)
    {
        var window = input.Window;
        if (window.StartsWith("<!--"u8))
        {
            input.Consume("<!--".Length);
            ended = !SkipPast("-->"u8);
        }
        else if (window.StartsWith("<?"u8))
        {
            if (window.StartsWith("<?xml"u8))
                ReadDeclaration();
            ended = !SkipPast(">"u8);
        }
        else if (window.StartsWith("<!"u8) && !window.StartsWith("<![CDATA["u8))
        {
            ended = !SkipDoctype();
        }
        else
        {
            ended = false;
            return false;
        }

        if (ended)
            End();
        return true;
    }

    private void ReadDeclaration()
    {
        EnsureWindow(256);
        var end = input.Window.IndexOf((byte)'>');
        if (end < 0)
            return;

        // Read as a tag, "?xml" has no valid name: omit the question mark.
        var declaration = new NzbTag();
        byte[] tag = [(byte)'<', .. input.Window[2..(end + 1)]];
        tag.AsSpan().Replace((byte)'?', (byte)' ');
        if (declaration.Parse(tag) is NzbTagStatus.Complete && declaration.TryGetAttribute(tag, "encoding"u8, out var name))
            DeclaredEncoding = Encoding.ASCII.GetString(name).Trim();
    }

    private bool SkipDoctype()
    {
        var skipper = default(NzbDoctypeSkipper);
        while (true)
        {
            input.Consume(skipper.Skip(input.Window, out var done));
            if (done)
                return true;
            if (!input.Fill())
                return false;
        }
    }
}

/// <summary>Kinds of tokens of <see cref="NzbTokenizer"/>.</summary>
internal enum NzbTokenKind
{
    /// <summary>Characters between tags, references not resolved. A long text is split into several tokens.</summary>
    Text,

    /// <summary>Text of a CDATA section: plain characters, <c>&amp;</c> included.</summary>
    Literal,

    /// <summary>An opening tag, or a tag that closes itself.</summary>
    StartTag,

    /// <summary>A closing tag.</summary>
    EndTag,

    /// <summary>End of input, possibly inside an unfinished tag or comment.</summary>
    End,

    /// <summary>A tag or an attribute is longer than allowed.</summary>
    TooLong,
}
