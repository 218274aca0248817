using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Tests.Work;

public sealed class BackgroundWorkersTests
{
    [Fact]
    public void A_job_that_throws_is_reported_and_the_jobs_behind_it_run()
    {
        var reported = new List<Exception>();
        var ran = new List<int>();
        using (var workers = new BackgroundWorkers(1, "test", reported.Add))
        {
            for (var i = 0; i < 3; i++)
                workers.Add(new ActionJob<int>(Run, i));
        }

        Assert.Equal([0, 2], ran);
        Assert.Equal("1", Assert.IsType<InvalidOperationException>(Assert.Single(reported)).Message);

        void Run(int job)
        {
            if (job == 1)
                throw new InvalidOperationException("1");
            ran.Add(job);
        }
    }
}
