using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Filling;

namespace NzbDav.Library.Tests.Filling;

/// <summary>What a reader that waited for a repair is told.</summary>
public sealed class RepairingReaderTests
{
    [Theory]
    [InlineData(ContentFault.Missing, true, "no provider has it, and it was made again from the recovery data")]
    [InlineData(ContentFault.Corrupt, true, "no provider has a sound copy of it, and it was made again from the recovery data")]
    [InlineData(ContentFault.Missing, false, "no provider has it. Its post has no recovery data.")]
    [InlineData(ContentFault.Corrupt, false, "no provider has a sound copy of it. Its post has no recovery data.")]
    public void A_wait_names_what_the_providers_lack(ContentFault fault, bool isRepaired, string expected)
    {
        var outcome = isRepaired
            ? new RepairWaitOutcome(RepairWaitState.Repaired)
            : new RepairWaitOutcome(RepairWaitState.Failed, "Its post has no recovery data.");
        Assert.Equal(expected, RepairingReader.Describe(fault, outcome));
    }
}
