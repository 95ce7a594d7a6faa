package dev.kubeinformer.internal.reconcile;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.EventsV1Event;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.internal.events.ApiEventRecorder;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what becomes of events after the API server has refused one.
 */
class EventRefusalTests {

	private static final String TERMINATING = """
			{"kind":"Status","status":"Failure","message":"events.events.k8s.io \\"cm\\" is forbidden: unable to create \
			new content in namespace dying because it is being terminated","reason":"Forbidden","details":{"name":"cm",\
			"group":"events.k8s.io","kind":"events","causes":[{"reason":"NamespaceTerminating","message":"namespace \
			dying is being terminated","field":"metadata.namespace"}]},"code":403}""";

	private static final String INVALID = """
			{"kind":"Status","status":"Failure","message":"Event \\"cm\\" is invalid: reportingController: Invalid \
			value: \\"bad name!\\": name part must consist of alphanumeric characters","reason":"Invalid","details":\
			{"name":"cm","kind":"Event","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \\"bad \
			name!\\": name part must consist of alphanumeric characters","field":"reportingController"}]},"code":422}""";

	private static final String JSON = "application/json";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final AtomicLong clock = new AtomicLong();

	private final Logger logger = (Logger) LoggerFactory.getLogger(Reconciliation.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private ApiEventRecorder events;

	@BeforeEach
	void start() {
		this.lines.start();
		this.logger.addAppender(this.lines);
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		TestRuns runs = new TestRuns(client);
		this.events = new ApiEventRecorder(runs.writes, runs.json,
				new ApiEventRecorder.Reporter("tester", "tester", "host", "tester"), Clock.systemUTC(),
				this.clock::get);
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.lines);
		this.api.close();
	}

	@Test
	void namespaceThatIsBeingDeletedShouldSilenceNoOther() {
		this.api.faults().on(Requests.create("events").inNamespace("dying")).body(403, JSON, TERMINATING);
		report("dying", "to 3");
		report("shop", "to 3");
		report("dying", "to 4");
		assertThat(reportedIn("shop")).hasSize(1);
		assertThat(this.api.requests()).hasSize(3);
		assertThat(warnings()).isEmpty();
	}

	@Test
	void missingRightShouldSilenceItsNamespaceForTenMinutes() {
		this.api.faults().on(Requests.create("events").inNamespace("dark")).times(2).forbid();
		report("dark", "to 3");
		report("dark", "to 4");
		report("shop", "to 3");
		assertThat(reportedIn("shop")).hasSize(1);
		assertThat(this.api.requests()).hasSize(2);
		assertThat(warnings()).singleElement().asString().contains("'dark'", "Create and patch on 'events'");
		this.clock.addAndGet(Duration.ofMinutes(10).toNanos());
		report("dark", "to 5");
		this.clock.addAndGet(Duration.ofMinutes(10).toNanos());
		report("dark", "to 6");
		assertThat(reportedIn("dark")).hasSize(1);
		assertThat(warnings()).hasSize(1);
	}

	@Test
	void refusalOfAPolicyShouldSilenceNothingAndAskForNoRights() {
		this.api.faults()
			.on(Requests.create("events"))
			.times(1)
			.status(403, "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no events on sundays");
		report("shop", "to 3");
		report("shop", "to 4");
		assertThat(reportedIn("shop")).hasSize(1);
		assertThat(warnings()).singleElement().asString().contains("no events on sundays").doesNotContain("needed");
	}

	@Test
	void eventThatIsNotValidShouldNameTheFieldAndNotItsValue() {
		this.api.faults().on(Requests.create("events")).times(2).body(422, JSON, INVALID);
		report("shop", "to 3");
		report("shop", "to 4");
		assertThat(warnings()).singleElement()
			.asString()
			.contains("reportingController: Invalid value: name part must consist")
			.doesNotContain("bad name");
	}

	private void report(String namespace, String note) {
		Widget widget = Widget.named(namespace, "one");
		widget.getMetadata().setUid(namespace);
		this.events.report(widget, EventType.NORMAL, "Scaled", note, new RunCalls(Fence.NONE));
	}

	private List<EventsV1Event> reportedIn(String namespace) {
		return this.api.resources(EventsV1Event.class).list(namespace);
	}

	private List<String> warnings() {
		return this.lines.list.stream()
			.filter((line) -> line.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

}
