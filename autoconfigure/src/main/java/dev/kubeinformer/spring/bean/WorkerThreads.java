package dev.kubeinformer.spring.bean;

import java.util.concurrent.ThreadFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Thread factories for handlers and reconcilers. Internal to the starter.
 */
public final class WorkerThreads {

	private WorkerThreads() {
	}

	/**
	 * Returns a factory of virtual threads if {@code spring.threads.virtual.enabled} is
	 * set and Java supports them, otherwise a factory of platform threads that keep the
	 * JVM alive. The property is read at run time, so that it also works in an
	 * application that was processed ahead of time.
	 * @param environment the environment
	 * @return the factory
	 */
	public static ThreadFactory of(Environment environment) {
		return Threading.VIRTUAL.isActive(environment) ? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
				: WorkerThreads::platform;
	}

	private static Thread platform(Runnable work) {
		Thread thread = new Thread(work);
		// Set this explicitly, because the creating thread may be a daemon, such as a
		// thread of a web server.
		thread.setDaemon(false);
		return thread;
	}

}
