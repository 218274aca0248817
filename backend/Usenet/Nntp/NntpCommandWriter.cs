using System.Buffers;
using System.Text;

namespace NzbDav.Usenet.Nntp;

/// <summary>Writes command lines.</summary>
internal static class NntpCommandWriter
{
    /// <summary>RFC 3977 §3.1: a command line has at most 512 octets; "BODY &lt;&gt;" and CRLF take nine of them.</summary>
    private const int MaxMessageId = 500;

    /// <summary>False for ids that contain a line end, would be invalid in a command, or are too long: no server can have such an article.</summary>
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
