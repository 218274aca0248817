using System.Buffers;

namespace NzbDav.Usenet.Nntp;

/// <summary>Writes commands to a connection in order; those added during a write go out together with the next.</summary>
/// <param name="gate">Guards the pending commands.</param>
/// <param name="stream">The connection.</param>
/// <param name="failed">Called with the reason when nothing can be written any more.</param>
internal sealed class CommandPipe(Lock gate, Stream stream, Action<string> failed)
{
    private ArrayBufferWriter<byte> _pending = new(512);
    private ArrayBufferWriter<byte> _writing = new(512);
    private bool _isWriting;

    /// <summary>Adds a command. Under the gate.</summary>
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
