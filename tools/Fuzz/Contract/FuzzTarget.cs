using System.IO.Compression;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Fuzz.Contract;

/// <summary>A parser of bytes from outside, and what may be expected of it. One caller at a time.</summary>
/// <param name="name">As the command takes it.</param>
/// <param name="describes">What is parsed, for the list that the command prints.</param>
internal abstract class FuzzTarget(string name, string describes)
{
    private static readonly JsonSerializerOptions Dump = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        IncludeFields = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>As the command takes it.</summary>
    public string Name => name;

    /// <summary>What is parsed.</summary>
    public string Describes => describes;

    /// <summary>Longest input tried, in bytes.</summary>
    public virtual int Longest { get; init; } = 8 << 10;

    /// <summary>False where nothing depends on how the input is handed over: the parser gets all of it or draws random numbers.</summary>
    public virtual bool IsCut => true;

    /// <summary>What the format's mutations insert: magic numbers, names of fields.</summary>
    public virtual IReadOnlyList<byte[]> Words => [];

    /// <summary>Bytes that a run over <paramref name="length"/> bytes may allocate in all: a bound on what a stranger can make us spend, not a figure.</summary>
    public virtual long MostAllocated(int length) => (512 << 10) + (200L * length);

    /// <summary>Valid inputs to start from: the files that begin with the target's name, unless it makes its own.</summary>
    public virtual IEnumerable<byte[]> Seeds() => Files("Seeds");

    /// <summary>The smallest inputs of what was found once.</summary>
    public IEnumerable<byte[]> Cases() => Files("Cases");

    /// <summary>Makes checksums, and what else hides the parser from a changed input, right again: in place, as far as the input can be understood.</summary>
    /// <param name="input">The changed input.</param>
    /// <param name="random">What may be drawn from.</param>
    public virtual void Mend(byte[] input, Random random)
    {
    }

    /// <summary>Parses one input.</summary>
    /// <param name="input">Not to be changed.</param>
    /// <param name="cuts">How it is handed over.</param>
    /// <returns>What came out: equal text, by <see cref="Tell"/>, for the same input however it is cut.</returns>
    /// <exception cref="Exception">A fault: what the parser says of bad input is a result, documented exceptions included.</exception>
    public abstract object? Run(byte[] input, Cuts cuts);

    /// <summary>A result as text, whole enough to tell two results apart.</summary>
    public virtual string Tell(object? result) => result as string ?? JsonSerializer.Serialize(result, Dump);

    /// <summary>Bytes of a text, for seeds and words.</summary>
    protected static byte[] Text(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>A file beside the program, decompressed if its name ends in .gz.</summary>
    protected static byte[] Load(string path)
    {
        var bytes = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, path));
        if (!path.EndsWith(".gz", StringComparison.Ordinal))
            return bytes;
        using var packed = new GZipStream(new MemoryStream(bytes), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        packed.CopyTo(plain);
        return plain.ToArray();
    }

    private IEnumerable<byte[]> Files(string folder) => Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, folder), name + ".*").Order(StringComparer.Ordinal).Select(Load);
}
