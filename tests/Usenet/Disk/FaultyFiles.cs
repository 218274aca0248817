using Microsoft.Win32.SafeHandles;
using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>Files of the disk cache that fail, hang or lack room as the test says.</summary>
internal sealed class FaultyFiles(PageCacheUse use = PageCacheUse.Bypassed) : CacheFiles(use)
{
    /// <summary>Thrown by each write; null: none is.</summary>
    public Exception? WriteFault { get; set; }

    /// <summary>Thrown by each read; null: none is.</summary>
    public Exception? ReadFault { get; set; }

    /// <summary>What is free on the disk.</summary>
    public long Free { get; set; } = long.MaxValue / 2;

    /// <summary>Reads hang until it is set; null: they do not.</summary>
    public ManualResetEventSlim? ReadGate { get; set; }

    /// <summary>Writes hang until it is set; null: they do not.</summary>
    public ManualResetEventSlim? WriteGate { get; set; }

    /// <summary>Reads that have begun.</summary>
    public int Reads { get; private set; }

    public override void Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        WriteGate?.Wait();
        if (WriteFault is { } fault)
            throw fault;
        base.Write(file, bytes, offset);
    }

    public override int Read(SafeFileHandle file, Span<byte> bytes, long offset)
    {
        Reads++;
        ReadGate?.Wait();
        if (ReadFault is { } fault)
            throw fault;
        return base.Read(file, bytes, offset);
    }

    public override long FreeBytes(string folder) => Free;
}
