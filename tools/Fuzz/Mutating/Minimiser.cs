namespace NzbDav.Fuzz.Mutating;

/// <summary>Makes an input smaller while it still shows the same fault.</summary>
internal static class Minimiser
{
    /// <summary>Removes blocks, from halves down to single bytes, then writes zeros where that changes nothing.</summary>
    /// <param name="input">An input that shows the fault.</param>
    /// <param name="isStillWrong">Says whether another input shows the same fault.</param>
    /// <param name="tries">The most calls of <paramref name="isStillWrong"/>.</param>
    public static byte[] Shrink(byte[] input, Func<byte[], bool> isStillWrong, int tries)
    {
        for (var block = Math.Max(1, input.Length / 2); tries > 0; block = Math.Max(1, block / 2))
        {
            var hasShrunk = false;
            for (var at = 0; at < input.Length && tries > 0;)
            {
                var without = Without(input, at, block);
                tries--;
                if (isStillWrong(without))
                {
                    input = without;
                    hasShrunk = true;
                }
                else
                {
                    at += block;
                }
            }

            if (block == 1 && !hasShrunk)
                break;
        }

        for (var at = 0; at < input.Length && tries > 0; at++)
        {
            if (input[at] == 0)
                continue;
            var zeroed = (byte[])input.Clone();
            zeroed[at] = 0;
            tries--;
            if (isStillWrong(zeroed))
                input = zeroed;
        }

        return input;
    }

    /// <summary>An input with some of its bytes removed.</summary>
    public static byte[] Without(byte[] input, int at, int count) =>
        [.. input.AsSpan(0, at), .. input.AsSpan(Math.Min(input.Length, at + count))];
}
