using System.Buffers;
using System.Text;

namespace NzbDav.Usenet.Nntp;

/// <summary>Writes command lines.</summary>
internal static class NntpCommandWriter
{
    /// <summary>
    /// RFC 3977 §3.1: a command line has at most 512 octets. The longest command, <c>ARTICLE &lt;&gt;</c> with CRLF, takes 12 of them.
    /// </summary>
    private const int MaxMessageId = 500;

    /// <summary>
    /// False for ids that are too long, contain a line end or would otherwise be invalid in a command. No server can have such an article.
    /// </summary>
    public static bool IsSendable(string messageId)
    {
        if (messageId.Length is 0 or > MaxMessageId)
            return false;
        foreach (var c in messageId)
        {
            // RFC 3977 §3.6: printable US-ASCII without '<' and '>'; bytes above are tolerated because some posters use them.
            if (c is <= ' ' or '<' or '>' or '\x7f')
                return false;
        }

        return Encoding.UTF8.GetByteCount(messageId) <= MaxMessageId;
    }

    public static void Write(IBufferWriter<byte> output, NntpCommand command, string messageId)
    {
        switch (command)
        {
            case NntpCommand.Body:
                output.Write("BODY <"u8);
                Encoding.UTF8.GetBytes(messageId, output);
                output.Write(">\r\n"u8);
                break;
            case NntpCommand.Stat:
                output.Write("STAT <"u8);
                Encoding.UTF8.GetBytes(messageId, output);
                output.Write(">\r\n"u8);
                break;
            case NntpCommand.Head:
                output.Write("HEAD <"u8);
                Encoding.UTF8.GetBytes(messageId, output);
                output.Write(">\r\n"u8);
                break;
            case NntpCommand.Date:
                output.Write("DATE\r\n"u8);
                break;
            default:
                output.Write("QUIT\r\n"u8);
                break;
        }
    }
}

/// <summary>Writes commands to a connection in order. Commands added during a write go out together in the next one.</summary>
/// <param name="gate">Guards the pending commands.</param>
/// <param name="stream">The connection.</param>
/// <param name="failed">Called with the reason when writing is no longer possible.</param>
internal sealed class CommandPipe(Lock gate, Stream stream, Action<string> failed)
{
    private ArrayBufferWriter<byte> _pending = new(512);
    private ArrayBufferWriter<byte> _writing = new(512);
    private bool _isWriting;

    /// <summary>Adds a command. The caller holds the gate.</summary>
    /// <returns>True when no write is under way: the caller calls <see cref="WriteAsync"/> outside the gate.</returns>
    public bool Add(NntpCommand command, string messageId)
    {
        NntpCommandWriter.Write(_pending, command, messageId);
        if (_isWriting)
            return false;
        return _isWriting = true;
    }

    /// <summary>Writes until nothing is left. Never throws.</summary>
    public async Task WriteAsync()
    {
        try
        {
            while (true)
            {
                lock (gate)
                {
                    if (_pending.WrittenCount == 0)
                    {
                        _isWriting = false;
                        return;
                    }

                    (_pending, _writing) = (_writing, _pending);
                }

                await stream.WriteAsync(_writing.WrittenMemory);
                _writing.ResetWrittenCount();
            }
        }
        catch (Exception e)
        {
            failed(e.Message);
        }
    }
}
