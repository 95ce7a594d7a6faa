package dev.kubeinformer.sample.page;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ActiveProfiles;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.fixtures.browser.RequiresBrowser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests, in Chromium, that the page says why a real cluster is not broken.
 */
@RequiresBrowser
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ActiveProfiles("cluster")
@Import(ClusterPageTests.Cluster.class)
class ClusterPageBrowserTests {

	@LocalServerPort
	private int port;

	@Test
	@Tag("slow")
	void buttonsThatBreakTheClusterShouldBeDisabledWithTheReason() {
		try (Browser browser = Browser.start()) {
			browser.open("http://localhost:%d/".formatted(this.port));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(browser.texts("button:disabled[aria-describedby='reason']"))
					.containsExactly("Cut all connections", "Answer with 410", "Stop it for a while",
							"Delete and recreate redis-0", "Create second-storefront"));
			assertThat(browser.text("#reason")).contains("real cluster");
			assertThat(browser.element("[data-experiment='slow-handler'] button").isEnabled()).isTrue();
			assertThat(browser.element("[data-start='throwing-handler']").isEnabled()).isTrue();
			// the page shows it all, but offers nothing that changes how the application
			// runs
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(browser.texts(Page.console("handler") + ".ic-id")).hasSize(3));
			assertThat(browser.count("informers-console .ic-actions:not([hidden])")).isZero();
			// of another request than the console
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(browser.count("#picture .wire")).isPositive());
			assertThat(browser.violations()).isEmpty();
			assertThat(browser.console()).isEmpty();
		}
	}

}
