using System.Diagnostics;

namespace NzbDav.Torrents.Metadata;

/// <summary>
/// Reads bencoding (BEP 3) token by token from a complete buffer. Strict: rejects leading zeros in integers and lengths, "-0", keys that
/// are not strings, and strings that extend past the end. Allocates nothing and never recurses, so deeply nested or huge input costs no
/// more than its own bytes. Keys out of order are accepted: old programs wrote them, and the info-hash covers the bytes unchanged.
/// </summary>
internal ref struct BencodeReader
{
    /// <summary>Deepest accepted nesting. Real files need six levels.</summary>
    public const int MostDepth = 32;

    private readonly ReadOnlySpan<byte> _data;
    private uint _dictionaries;
    private uint _expectsValue;
    private int _depth;
    private bool _ended;

    /// <param name="data">The bytes; reading starts at the first one.</param>
    public BencodeReader(ReadOnlySpan<byte> data) => _data = data;

    /// <summary>The last token read.</summary>
    public BencodeToken Token { get; private set; }

    /// <summary>Value of an <see cref="BencodeToken.Integer"/>.</summary>
    public long Integer { get; private set; }

    /// <summary>Bytes of a <see cref="BencodeToken.Text"/>.</summary>
    public ReadOnlySpan<byte> Text { get; private set; }

    /// <summary>Offset of the last token's first byte.</summary>
    public int Start { get; private set; }

    /// <summary>Offset of the first byte after the last token.</summary>
    public int Position { get; private set; }

    /// <summary>The fault, as the end of a sentence for the user ("ends in the middle of a value"); null if there is none.</summary>
    public string? Error { get; private set; }

    /// <summary>Reads the next token. False after the end of the outermost value, and on an error.</summary>
    public bool Read()
    {
        if (Error is not null || _ended)
            return false;
        Start = Position;
        if (Start >= _data.Length)
            return Fail("ends in the middle of a value");
        var first = _data[Start];
        var inDictionary = _depth > 0 && (_dictionaries & Bit(_depth)) != 0;
        var isKey = inDictionary && (_expectsValue & Bit(_depth)) == 0;
        if (isKey && first != (byte)'e' && first is < (byte)'0' or > (byte)'9')
            return Fail("has a dictionary key that is not a string");
        if (inDictionary)
            _expectsValue ^= Bit(_depth);
        return first switch
        {
            (byte)'i' => ReadInteger(),
            (byte)'l' => Open(BencodeToken.List),
            (byte)'d' => Open(BencodeToken.Dictionary),
            (byte)'e' => Close(isKey || !inDictionary),
            >= (byte)'0' and <= (byte)'9' => ReadText(),
            _ => Fail("has a byte that does not start a value"),
        };
    }

    /// <summary>Reads the next token. True if it is a value of this kind; a value of another kind is skipped.</summary>
    public bool ReadValue(BencodeToken kind)
    {
        if (!Read())
            return false;
        if (Token == kind)
            return true;
        SkipRest();
        return false;
    }

    /// <summary>Reads the next key of a dictionary. False at its end and on an error.</summary>
    public bool ReadKey() => Read() && Token == BencodeToken.Text;

    /// <summary>Reads the next element of a list. False at its end and on an error.</summary>
    public bool ReadElement() => Read() && Token != BencodeToken.End;

    /// <summary>
    /// Reads the next value if it is an integer. A value of another kind is skipped, and <paramref name="otherwise"/> is returned.
    /// </summary>
    public long ReadInteger(long otherwise) => ReadValue(BencodeToken.Integer) ? Integer : otherwise;

    /// <summary>Skips the next value.</summary>
    public void SkipValue()
    {
        if (Read())
            SkipRest();
    }

    /// <summary>Skips the rest of the list or dictionary just opened. Does nothing after any other token.</summary>
    public void SkipRest()
    {
        if (Token is not (BencodeToken.List or BencodeToken.Dictionary))
            return;
        var outer = _depth - 1;
        while (_depth > outer && Read())
        {
        }
    }

    private static uint Bit(int depth) => 1u << (depth - 1);

    private bool Open(BencodeToken token)
    {
        if (_depth == MostDepth)
            return Fail($"is nested more than {MostDepth} levels deep");
        _depth++;
        _expectsValue &= ~Bit(_depth);
        if (token == BencodeToken.Dictionary)
            _dictionaries |= Bit(_depth);
        else
            _dictionaries &= ~Bit(_depth);
        return Accept(token, Start + 1);
    }

    private bool Close(bool allowed)
    {
        if (_depth == 0 || !allowed)
            return Fail("has an end marker where a value is expected");
        _depth--;
        return Accept(BencodeToken.End, Start + 1);
    }

    private bool ReadInteger()
    {
        var at = Start + 1;
        var negative = at < _data.Length && _data[at] == (byte)'-';
        if (negative)
            at++;
        if (!ReadDigits(ref at, (byte)'e', negative ? 1UL << 63 : long.MaxValue, out var value) || (negative && value == 0))
            return Fail("has a malformed integer");
        Integer = negative ? unchecked(-(long)value) : (long)value;
        return Accept(BencodeToken.Integer, at);
    }

    private bool ReadText()
    {
        var at = Start;
        if (!ReadDigits(ref at, (byte)':', int.MaxValue, out var length))
            return Fail("has a string whose length is not a number");
        if (length > (ulong)(_data.Length - at))
            return Fail("has a string that reaches past the end");
        Text = _data.Slice(at, (int)length);
        return Accept(BencodeToken.Text, at + (int)length);
    }

    private readonly bool ReadDigits(ref int at, byte end, ulong most, out ulong value)
    {
        value = 0;
        var from = at;
        while (at < _data.Length && _data[at] is >= (byte)'0' and <= (byte)'9')
        {
            // 19 digits fit into an unsigned 64-bit number.
            if (at - from == 19 || (at > from && _data[from] == (byte)'0'))
                return false;
            value = (value * 10) + (ulong)(_data[at++] - '0');
        }

        return at > from && at < _data.Length && _data[at++] == end && value <= most;
    }

    private bool Accept(BencodeToken token, int position)
    {
        Token = token;
        Position = position;
        Debug.Assert(position <= _data.Length, "read past the end");
        _ended = _depth == 0;
        return true;
    }

    private bool Fail(string message)
    {
        Token = BencodeToken.None;
        Error = string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{message} (at byte {Position})");
        return false;
    }
}

/// <summary>Kind of the token that a <see cref="BencodeReader"/> read last.</summary>
internal enum BencodeToken
{
    None,
    Integer,
    Text,
    List,
    Dictionary,

    /// <summary>The end of a list or dictionary.</summary>
    End,
}
