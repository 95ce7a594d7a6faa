package dev.kubeinformer.benchmark.leader;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.annotation.LeaderOnly;

/**
 * Replica of an application with a leader. It prints {@link Entry entries}, executes the
 * commands on its standard input, and ends when that ends: {@link #ASK} requests the
 * state of the elector, {@link #COLLECT} a full collection.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@EnableConfigurationProperties(ReplicaProperties.class)
public class Replica {

	static final String ASK = "ask";

	static final String COLLECT = "collect";

	private static final int CHUNK = 128;

	/**
	 * Starts the replica.
	 * @param args the Spring properties
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		SpringApplication application = new SpringApplication(Replica.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		ConfigurableApplicationContext context = application.run(args);
		Journal journal = context.getBean(Journal.class);
		LeaderElector elector = context.getBean(LeaderElector.class);
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String command = commands.readLine(); command != null; command = commands.readLine()) {
			switch (command) {
				case ASK -> journal.write(Entry.Kind.STATE, elector.status().state());
				case COLLECT -> collect(journal);
				default -> throw new IllegalArgumentException("No command '%s'".formatted(command));
			}
		}
		System.exit(SpringApplication.exit(context));
	}

	private static void collect(Journal journal) {
		long begin = System.nanoTime();
		System.gc();
		journal.write(Entry.Kind.COLLECTED, Duration.ofNanos(System.nanoTime() - begin).toMillis());
	}

	@Bean
	Journal journal() {
		return new Journal(new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8));
	}

	@Bean
	ReplicaReconciler replicaReconciler(ReplicaProperties properties, Journal journal, Leadership leadership) {
		return new ReplicaReconciler(properties, journal, leadership);
	}

	@Bean
	Ticker ticker(Journal journal) {
		return new Ticker(journal);
	}

	@Bean
	Observer observer(Journal journal, Leadership leadership) {
		return new Observer(journal, leadership);
	}

	@Bean
	Ballast ballast(ReplicaProperties properties) {
		return new Ballast(properties.ballast());
	}

	/** Does regular work of the leader. */
	static class Ticker {

		private final Journal journal;

		Ticker(Journal journal) {
			this.journal = journal;
		}

		@LeaderOnly
		@Scheduled(fixedRate = 100)
		void tick() {
			this.journal.write(Entry.Kind.TICK);
		}

	}

	/** Prints the changes of the leadership. */
	static class Observer implements LeadershipListener {

		private final Journal journal;

		Observer(Journal journal, Leadership leadership) {
			this.journal = journal;
			leadership.addListener(this);
		}

		@EventListener
		void ready(ApplicationReadyEvent event) {
			this.journal.write(Entry.Kind.READY);
		}

		@Override
		public void granted(Leadership.Term term) {
			this.journal.write(Entry.Kind.GRANTED, term.number());
		}

		@Override
		public void revoked(Leadership.Term term, RevocationReason reason) {
			this.journal.write(Entry.Kind.REVOKED, term.number(), reason);
		}

		@Override
		public void renewed(Duration slack) {
			this.journal.write(Entry.Kind.RENEWED, slack.toMillis());
		}

	}

	/** Small objects that every full collection must visit. */
	static class Ballast {

		private final List<byte[]> chunks = new ArrayList<>();

		Ballast(int megabytes) {
			// An array has a header of 16 bytes, and the list holds a reference to it.
			long count = megabytes * 1024L * 1024L / (CHUNK + 20);
			for (long i = 0; i < count; i++) {
				this.chunks.add(new byte[CHUNK]);
			}
		}

	}

}
