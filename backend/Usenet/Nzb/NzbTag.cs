using System.Buffers;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Parses one tag in place. Well-formed XML is read as XML. Also accepted: values in single, double or no quotation marks, quotation marks
/// inside a quoted value, no space between attributes, and bare <c>&amp;</c>, <c>&lt;</c> and <c>&gt;</c> in values.
/// </summary>
internal sealed class NzbTag
{
    /// <summary>Longest attribute value in bytes. Subjects have a few hundred.</summary>
    public const int MaxAttribute = 64 << 10;

    private const int MaxAttributes = 32;

    private static readonly SearchValues<byte> NameBytes = SearchValues.Create(
        [.. "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:_-."u8, .. Enumerable.Range(0x80, 0x80).Select(b => (byte)b)]);

    private static readonly SearchValues<byte> EndOfAttributeName = SearchValues.Create(" \t\r\n=></"u8);

    private static readonly SearchValues<byte> EndOfUnquotedValue = SearchValues.Create(" \t\r\n>"u8);

    private readonly (Range Name, Range Value)[] _attributes = new (Range, Range)[MaxAttributes];
    private int _count;
    private Range _name;

    /// <summary>True for <c>&lt;/name&gt;</c>.</summary>
    public bool Closing { get; private set; }

    /// <summary>True for <c>&lt;name/&gt;</c>.</summary>
    public bool SelfClosing { get; private set; }

    /// <summary>Bytes of the tag, both angle brackets included.</summary>
    public int Length { get; private set; }

    /// <summary>The name without its namespace prefix.</summary>
    /// <param name="window">The bytes given to <see cref="Parse"/>.</param>
    public ReadOnlySpan<byte> Name(ReadOnlySpan<byte> window) => window[_name];

    /// <summary>Finds an attribute by its name, ignoring case; the first if there are several.</summary>
    public bool TryGetAttribute(ReadOnlySpan<byte> window, ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        foreach (var attribute in _attributes.AsSpan(0, _count))
        {
            if (!Ascii.EqualsIgnoreCase(window[attribute.Name], name))
                continue;
            value = window[attribute.Value];
            return true;
        }

        value = default;
        return false;
    }

    /// <summary>Drops the attributes but keeps the name, for a tag that was not read to its end.</summary>
    public void DropAttributes() => _count = 0;

    /// <summary>Reads only the name. <see cref="NzbTagStatus.Complete"/> means that a character follows that can end a name.</summary>
    public NzbTagStatus ParseName(ReadOnlySpan<byte> window, out int end)
    {
        _count = 0;
        SelfClosing = false;
        Closing = window.Length > 1 && window[1] == '/';
        var start = Closing ? 2 : 1;
        end = start;
        if (window.Length <= start)
            return NzbTagStatus.NeedMore;

        // NameStartChar: no digit, hyphen or dot (https://www.w3.org/TR/xml/#NT-NameStartChar).
        if (!NameBytes.Contains(window[start]) || char.IsAsciiDigit((char)window[start]) || window[start] is (byte)'-' or (byte)'.')
            return NzbTagStatus.NotATag;
        var length = window[start..].IndexOfAnyExcept(NameBytes);
        if (length < 0)
            return NzbTagStatus.NeedMore;
        end = start + length;
        _name = (start + window.Slice(start, length).LastIndexOf((byte)':') + 1)..end;
        if (IsSpace(window[end]) || window[end] == '>')
            return NzbTagStatus.Complete;
        if (window[end] != '/')
            return NzbTagStatus.NotATag;
        if (end + 1 == window.Length)
            return NzbTagStatus.NeedMore;
        return window[end + 1] == '>' ? NzbTagStatus.Complete : NzbTagStatus.NotATag;
    }

    /// <summary>Reads the tag that begins with the window's first byte.</summary>
    public NzbTagStatus Parse(ReadOnlySpan<byte> window)
    {
        var status = ParseName(window, out var i);
        if (status is not NzbTagStatus.Complete)
            return status;
        if (Closing)
            return ParseClosing(window, i);

        while (true)
        {
            i = SkipSpace(window, i);
            if (i == window.Length)
                return NzbTagStatus.NeedMore;
            switch (window[i])
            {
                case (byte)'>':
                    Length = i + 1;
                    return NzbTagStatus.Complete;
                case (byte)'<':
                    // The closing angle bracket is missing; the next tag begins here.
                    Length = i;
                    return NzbTagStatus.Complete;
                case (byte)'/' when i + 1 == window.Length:
                    return NzbTagStatus.NeedMore;
                case (byte)'/' when window[i + 1] == '>':
                    SelfClosing = true;
                    Length = i + 2;
                    return NzbTagStatus.Complete;
                case (byte)'/' or (byte)'=':
                    i++;
                    continue;
            }

            status = ParseAttribute(window, ref i);
            if (status is not NzbTagStatus.Complete)
                return status;
        }
    }

    private static bool IsSpace(byte b) => b is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n';

    private static int SkipSpace(ReadOnlySpan<byte> window, int i)
    {
        while (i < window.Length && IsSpace(window[i]))
            i++;
        return i;
    }

    private NzbTagStatus ParseClosing(ReadOnlySpan<byte> window, int i)
    {
        var end = window[i..].IndexOfAny((byte)'<', (byte)'>');
        if (end < 0)
            return NzbTagStatus.NeedMore;
        Length = i + end + (window[i + end] == '>' ? 1 : 0);
        return NzbTagStatus.Complete;
    }

    private NzbTagStatus ParseAttribute(ReadOnlySpan<byte> window, ref int i)
    {
        var nameStart = i;
        var nameLength = window[i..].IndexOfAny(EndOfAttributeName);
        if (nameLength < 0)
            return NzbTagStatus.NeedMore;
        i = SkipSpace(window, nameStart + nameLength);
        if (i == window.Length)
            return NzbTagStatus.NeedMore;
        if (window[i] != '=')
            return NzbTagStatus.Complete; // a word without a value
        i = SkipSpace(window, i + 1);
        if (i == window.Length)
            return NzbTagStatus.NeedMore;

        int start, end;
        if (window[i] is (byte)'"' or (byte)'\'')
        {
            start = i + 1;
            var status = FindClosingQuote(window, start, window[i], out end);
            if (status is not NzbTagStatus.Complete)
                return status;
            i = end + 1;
        }
        else
        {
            start = i;
            var length = window[i..].IndexOfAny(EndOfUnquotedValue);
            if (length < 0)
                return window.Length - start > MaxAttribute ? NzbTagStatus.TooLong : NzbTagStatus.NeedMore;
            end = start + length;
            if (length > 0 && window[end] == '>' && window[end - 1] == '/')
                end--;
            i = end;
        }

        if (end - start > MaxAttribute)
            return NzbTagStatus.TooLong;
        if (_count < MaxAttributes)
            _attributes[_count++] = (nameStart..(nameStart + nameLength), start..end);
        return NzbTagStatus.Complete;
    }

    private static NzbTagStatus FindClosingQuote(ReadOnlySpan<byte> window, int start, byte quote, out int end)
    {
        end = start;
        while (true)
        {
            var next = window[end..].IndexOf(quote);
            if (next < 0)
                return window.Length - start > MaxAttribute ? NzbTagStatus.TooLong : NzbTagStatus.NeedMore;
            end += next;
            switch (Closes(window, end + 1))
            {
                case true:
                    return NzbTagStatus.Complete;
                case null:
                    return end - start > MaxAttribute ? NzbTagStatus.TooLong : NzbTagStatus.NeedMore;
                default:
                    end++;
                    break;
            }
        }
    }

    /// <summary>
    /// Whether a quotation mark ends its value: true if a tag could continue after it, with its end or another attribute. Subjects contain
    /// file names in quotation marks, and some writers forget to escape them. Null: more input is needed.
    /// </summary>
    private static bool? Closes(ReadOnlySpan<byte> window, int i)
    {
        var behindSpace = SkipSpace(window, i);
        if (behindSpace == window.Length)
            return null;
        if (window[behindSpace] == '>')
            return true;
        if (window[behindSpace] == '/')
            return behindSpace + 1 == window.Length ? null : window[behindSpace + 1] == '>';

        var nameLength = window[behindSpace..].IndexOfAnyExcept(NameBytes);
        if (nameLength < 0)
            return null;
        if (nameLength == 0)
            return false;
        var equals = SkipSpace(window, behindSpace + nameLength);
        if (equals == window.Length)
            return null;
        if (window[equals] != '=')
            return false;
        if (behindSpace > i)
            return true;

        // No space before the next attribute: accept the attribute only if its value is quoted.
        var value = SkipSpace(window, equals + 1);
        if (value == window.Length)
            return null;
        return window[value] is (byte)'"' or (byte)'\'';
    }
}

/// <summary>Result of parsing a tag.</summary>
internal enum NzbTagStatus
{
    /// <summary>The tag is complete.</summary>
    Complete,

    /// <summary>The tag continues beyond the window.</summary>
    NeedMore,

    /// <summary>A stray <c>&lt;</c> in text, for instance of a message-id in unescaped brackets.</summary>
    NotATag,

    /// <summary>An attribute is longer than allowed.</summary>
    TooLong,
}
