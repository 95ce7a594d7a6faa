package dev.kubeinformer.spring.bean;

import java.util.concurrent.ThreadFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Makers of the threads of handlers and reconcilers. Internal to the starter.
 */
public final class WorkerThreads {

	private WorkerThreads() {
	}

	/**
	 * Returns a factory of virtual threads where {@code spring.threads.virtual.enabled}
	 * asks for them and Java has them, else of threads that keep the JVM alive. It is
	 * asked for at run time, so that an application that was processed ahead of time may
	 * choose, too.
	 * @param environment the environment
	 * @return the factory
	 */
	public static ThreadFactory of(Environment environment) {
		return Threading.VIRTUAL.isActive(environment) ? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
				: WorkerThreads::platform;
	}

	private static Thread platform(Runnable work) {
		Thread thread = new Thread(work);
		// Who starts it may be a daemon, such as a thread of a web server.
		thread.setDaemon(false);
		return thread;
	}

}
