package dev.kubeinformer.spring.docs;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import dev.kubeinformer.spring.annotation.LeaderOnly;

/**
 * Methods of the leader, as on the page.
 */
@Component
class NightlyReport {

	private final Notices notices;

	NightlyReport(Notices notices) {
		this.notices = notices;
	}

	@Scheduled(cron = "${report.cron:0 0 3 * * *}")
	@LeaderOnly
	void write() {
		this.notices.send("report");
	}

	@LeaderOnly
	int rebuild() {
		this.notices.send("rebuilt");
		return 1;
	}

}
