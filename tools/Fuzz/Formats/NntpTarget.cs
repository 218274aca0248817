using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Fuzz.Formats;

/// <summary>Responses of a news server: status lines, and sometimes a multi-line block.</summary>
internal sealed class NntpTarget() : FuzzTarget("nntp", "Answers of a news server")
{
    private const int MostAnswers = 2_000;

    public override int Longest { get; init; } = 16 << 10;

    public override IReadOnlyList<byte[]> Words { get; } = [
        .. "200 |222 |430 |480 |502 |101 |\r\n|\r\n.\r\n|.\r\n|..\r\n|\r|\n|<a@b>|too many connections".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        using var stream = new CutStream(input, cuts);
        var reader = new NntpLineReader(stream);
        var said = new StringBuilder();
        try
        {
            for (var answers = 0; answers < MostAnswers; answers++)
            {
                var line = Synchronously.Wait(reader.ExecuteAsync("STAT <a@b>\r\n", CancellationToken.None));
                BrokenPromiseException.ThrowUnless(line.Code is 0 or (>= 100 and <= 599), "A code has three digits.");
                BrokenPromiseException.ThrowUnless(!line.Text.Any(char.IsControl), "No control character reaches a log.");
                said.Append(CultureInfo.InvariantCulture, $"{line.Code} {line.Text}\n");
                if (line.Code == 0)
                    break;
                if (line.Code is not (101 or 222 or 220))
                    continue;
                var block = 0L;
                Synchronously.Wait(reader.SkipBlockAsync(bytes => block += bytes, CancellationToken.None));
                said.Append(CultureInfo.InvariantCulture, $"{block} bytes\n");
            }
        }
        catch (IOException ended)
        {
            said.Append(ended.Message);
        }

        return said.ToString();
    }
}
