namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Skips <c>&lt;!DOCTYPE …&gt;</c>, including an internal subset. Nothing in it is kept: the rest of the parser does not know the entities
/// declared there, so XML bombs are harmless.
/// </summary>
internal struct NzbDoctypeSkipper
{
    private State _state;
    private byte _quote;

    private enum State
    {
        Outside,
        Subset,
        Quoted,
        Comment,
        Behind,
    }

    /// <summary>Processes the next bytes.</summary>
    /// <param name="bytes">The bytes that follow those consumed before.</param>
    /// <param name="done">True once the closing angle bracket is consumed.</param>
    /// <returns>Bytes consumed; fewer than all if the bytes after them must be seen first.</returns>
    public int Skip(ReadOnlySpan<byte> bytes, out bool done)
    {
        var i = 0;
        done = false;
        while (i < bytes.Length)
        {
            var rest = bytes[i..];
            int at;
            switch (_state)
            {
                case State.Outside:
                    // Quotation marks do not count here: an unbalanced one would swallow the document, and no identifier contains an angle
                    // bracket.
                    at = rest.IndexOfAny((byte)'[', (byte)'>');
                    if (at >= 0 && rest[at] == '>')
                    {
                        done = true;
                        return i + at + 1;
                    }

                    if (at >= 0)
                        _state = State.Subset;
                    break;
                case State.Subset:
                    at = rest.IndexOfAny("\"']<"u8);
                    if (at < 0)
                        break;
                    if (rest[at] == ']')
                    {
                        _state = State.Behind;
                    }
                    else if (rest[at] != '<')
                    {
                        _quote = rest[at];
                        _state = State.Quoted;
                    }
                    else if (rest.Length - at < 4)
                    {
                        return i + at;
                    }
                    else if (rest.Slice(at, 4).SequenceEqual("<!--"u8))
                    {
                        _state = State.Comment;
                        at += 3;
                    }

                    break;
                case State.Quoted:
                    at = rest.IndexOf(_quote);
                    if (at >= 0)
                        _state = State.Subset;
                    break;
                case State.Comment:
                    at = rest.IndexOf("-->"u8);
                    if (at < 0)
                        return i + Math.Max(0, rest.Length - 2);
                    at += 2;
                    _state = State.Subset;
                    break;
                default:
                    at = rest.IndexOf((byte)'>');
                    done = at >= 0;
                    return done ? i + at + 1 : bytes.Length;
            }

            if (at < 0)
                return bytes.Length;
            i += at + 1;
        }

        return i;
    }
}
