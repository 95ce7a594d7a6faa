package dev.kubeinformer.spring.handler;

import java.util.concurrent.ThreadFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Makers of the threads of handlers.
 */
final class HandlerThreads {

	private HandlerThreads() {
	}

	/**
	 * Returns a factory of virtual threads where {@code spring.threads.virtual.enabled}
	 * asks for them and Java has them, else of threads that keep the JVM alive. It is
	 * asked for at run time, so that an application that was processed ahead of time may
	 * choose, too.
	 * @param environment the environment
	 * @return the factory
	 */
	static ThreadFactory of(Environment environment) {
		return Threading.VIRTUAL.isActive(environment) ? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
				: HandlerThreads::platform;
	}

	private static Thread platform(Runnable work) {
		Thread thread = new Thread(work);
		// Who starts the handler may be a daemon, such as a thread of a web server.
		thread.setDaemon(false);
		return thread;
	}

}
